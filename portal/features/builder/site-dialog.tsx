import { Input, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { typedMoment } from '../../app/dates.ts';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { HoursField, isWhole, type Hours } from '../../ui/hours-field.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type Site, siteQuery, useBuilderCommands } from './api.ts';
import styles from './builder.module.css';

const MOST = { name: 100, address: 300, openingHours: 300, tlf: 20 } as const;
type Field = keyof typeof MOST;
type Draft = Record<Field | 'closedDays', string> & { hours: Hours };

const written = (date: string): string => date.split('-').toReversed().join('.');
/** The dates that somebody typed; null where one is none. */
const datesOf = (text: string): string[] | null => {
  const dates = text.split(/[,;\s]+/).flatMap((part) => (part === '' ? [] : [typedMoment(part)?.slice(0, 10) ?? null]));
  return dates.every((date) => date !== null) ? [...new Set(dates)].toSorted() : null;
};

const begun = (site: Site | null): Draft => ({
  name: site?.name ?? '',
  address: site?.address ?? '',
  openingHours: site?.openingHours ?? '',
  tlf: site?.tlf ?? '',
  hours: site?.hours ?? [],
  closedDays: (site?.closedDays ?? []).map(written).join(', '),
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
      const place = { lat: now.row?.lat ?? null, lng: now.row?.lng ?? null };
      const body = { ...meant, ...place, name: meant.name.trim(), closedDays: datesOf(meant.closedDays) ?? [] };
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
  const dates = datesOf(value.closedDays);
  const isReady = value.name.trim() !== '' && dates !== null && isWhole(value.hours);
  const field = (key: Field) => ({
    label: t(`builder.${key}`),
    value: value[key],
    maxLength: MOST[key],
    error: wrong[key],
    errorProps: { role: 'alert' },
    onChange: (event: { currentTarget: { value: string } }) => draft.set({ [key]: event.currentTarget.value }),
  });
  const submit = (): void => {
    setTried(true);
    if (isReady) draft.save();
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
        <div className={styles.hours}>
          <HoursField
            title={t('builder.hours')}
            text={t('builder.hoursHint')}
            hours={value.hours}
            onChange={(hours) => draft.set({ hours })}
          />
          {tried && !isWhole(value.hours) && <Input.Error role="alert">{t('builder.hoursWrong')}</Input.Error>}
        </div>
        <TextInput
          label={t('builder.closedDays')}
          description={t('builder.closedDaysHint')}
          mt="md"
          value={value.closedDays}
          maxLength={1500}
          error={tried && dates === null ? t('builder.closedDaysWrong') : wrong['closedDays']}
          errorProps={{ role: 'alert' }}
          onChange={(event) => draft.set({ closedDays: event.currentTarget.value })}
        />
        <TextInput {...field('tlf')} description={t('builder.tlfHint')} type="tel" mt="md" />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
