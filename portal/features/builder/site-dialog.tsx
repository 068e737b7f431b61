import { Button, Group, Modal, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Site, useBuilderCommands } from './api.ts';

const MOST = { name: 100, address: 300, openingHours: 300, tlf: 20 } as const;
type Field = keyof typeof MOST;

/** Makes a site, or changes the one that is given; when it is refused the dialog stays, and with it what was typed. */
export const SiteDialog = ({ site, onClose }: { site: Site | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const { name = '', address = '', openingHours = '', tlf = '' } = site ?? {};
  const [value, setValue] = useState<Record<Field, string>>({ name, address, openingHours, tlf });
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const body = { ...value, name: value.name.trim(), lat: site?.lat ?? null, lng: site?.lng ?? null };
      return site ? commands.changeSite(site.id, { ...body, version: site.version }) : commands.addSite(body);
    },
    onSuccess: (saved) => {
      toast.ok(t(site ? 'builder.siteSaved' : 'builder.siteMade', { name: saved.name }));
      onClose();
    },
  });
  const taken = codeOf(save.error) === 'name-taken';
  const wrong: Partial<Record<string, string>> = {
    ...fieldErrors(save.error),
    ...(taken ? { name: t('problems.name-taken') } : {}),
    ...(tried && value.name.trim() === '' ? { name: t('builder.nameNeeded') } : {}),
  };
  const field = (key: Field) => ({
    label: t(`builder.${key}`),
    value: value[key],
    maxLength: MOST[key],
    error: wrong[key],
    errorProps: { role: 'alert' },
    onChange: (event: { currentTarget: { value: string } }) => {
      setValue({ ...value, [key]: event.currentTarget.value });
      if (save.isError) save.reset();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (value.name.trim() !== '') save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={site ? t('builder.changeSite', { name: site.name }) : t('builder.addSite')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={submit} noValidate>
        <TextInput {...field('name')} data-autofocus />
        <TextInput {...field('address')} mt="md" />
        <Textarea {...field('openingHours')} description={t('builder.openingHoursHint')} mt="md" rows={2} />
        <TextInput {...field('tlf')} description={t('builder.tlfHint')} type="tel" mt="md" />
        {save.isError && !taken && <ProblemNote error={save.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
