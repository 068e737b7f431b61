import { TextInput, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type Site, siteQuery, useBuilderCommands } from './api.ts';

const MOST = { name: 100, address: 300, openingHours: 300, tlf: 20 } as const;
type Field = keyof typeof MOST;

const begun = (site: Site | null): Record<Field, string> => ({
  name: site?.name ?? '',
  address: site?.address ?? '',
  openingHours: site?.openingHours ?? '',
  tlf: site?.tlf ?? '',
});

/** Makes a site, or changes the one that is given; when it is refused the dialog stays, and with it what was typed. */
export const SiteDialog = ({ site, onClose }: { site: Site | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const [tried, setTried] = useState(false);
  const now = useRow(siteQuery(useApi(), site?.id ?? 'new'), site);
  const draft = useDraft({
    ...now,
    begun,
    save: (meant, version) => {
      const body = { ...meant, name: meant.name.trim(), lat: now.row?.lat ?? null, lng: now.row?.lng ?? null };
      return site ? commands.changeSite(site.id, { ...body, version }) : commands.addSite(body);
    },
    onSaved: (saved) => {
      toast.ok(t(site ? 'builder.siteSaved' : 'builder.siteMade', { name: saved.name }));
      onClose();
    },
  });
  const { value } = draft;
  const taken = codeOf(draft.error) === 'name-taken';
  const wrong: Partial<Record<string, string>> = {
    ...fieldErrors(draft.error, t),
    ...(taken ? { name: t('problems.name-taken') } : {}),
    ...(tried && value.name.trim() === '' ? { name: t('builder.nameNeeded') } : {}),
  };
  const field = (key: Field) => ({
    label: t(`builder.${key}`),
    value: value[key],
    maxLength: MOST[key],
    error: wrong[key],
    errorProps: { role: 'alert' },
    onChange: (event: { currentTarget: { value: string } }) => draft.set({ [key]: event.currentTarget.value }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (value.name.trim() !== '') draft.save();
  };
  return (
    <FormDialog
      title={site ? t('builder.changeSite', { name: site.name }) : t('builder.addSite')}
      dirty={draft.dirty}
      saving={draft.saving}
      onClose={onClose}
    >
      <Form onSubmit={submit}>
        <TextInput {...field('name')} data-autofocus />
        <TextInput {...field('address')} mt="md" />
        <Textarea {...field('openingHours')} description={t('builder.openingHoursHint')} mt="md" rows={2} />
        <TextInput {...field('tlf')} description={t('builder.tlfHint')} type="tel" mt="md" />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
