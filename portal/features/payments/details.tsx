import { ActionIcon, Button, Group, SegmentedControl, TextInput, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { Form } from '../../ui/form.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { type Payment, usePaymentCommands } from './api.ts';
import styles from './payments.module.css';
import { type Line, linesOf, objectOf, written } from './written.ts';

/** What people note of a payment by hand, as names and values or as JSON; both show the same. */
export const Details = ({ payment, may }: { payment: Payment; may: boolean }) => {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const rows = Object.entries(payment.details).map(([name, value]) => [name, written(value)] as const);
  const change = may && !editing && (
    <Button size="xs" variant="subtle" onClick={() => setEditing(true)}>
      {t('payments.details.change')}
    </Button>
  );
  return (
    <Panel title={t('payments.details.title')} aside={change}>
      {editing ? (
        <DetailsForm payment={payment} onDone={() => setEditing(false)} />
      ) : rows.length === 0 ? (
        <p className={styles.dim}>{t('payments.details.none')}</p>
      ) : (
        <Facts rows={rows} />
      )}
    </Panel>
  );
};

type Shown = 'fields' | 'json';

/** What was pressed to come here is gone, and so would be the focus. */
const toFirst = (form: HTMLFormElement | null): void =>
  (form?.querySelector<HTMLElement>('input:not([type=radio])') ?? form?.querySelector<HTMLElement>('input:checked'))?.focus();

const DetailsForm = ({ payment, onDone }: { payment: Payment; onDone: () => void }) => {
  const { t } = useTranslation();
  const commands = usePaymentCommands();
  const [before] = useState(() => ({ details: payment.details, version: payment.version }));
  const [shown, setShown] = useState<Shown>('fields');
  const [lines, setLines] = useState<Line[]>(() => linesOf(before.details));
  const [json, setJson] = useState('');
  const typed = shown === 'json' ? objectOf(json) : Object.fromEntries(lines.filter((line) => line.name.trim() !== '').map((line) => [line.name.trim(), line.value])); // prettier-ignore
  const dirty = JSON.stringify(typed) !== JSON.stringify(before.details);
  const save = useMutation({
    mutationFn: (details: Record<string, unknown>) => commands.update({ _id: payment._id, version: before.version, details }),
    onSuccess: () => {
      toast.ok(t('payments.details.saved'));
      onDone();
    },
  });
  const show = (next: Shown): void => {
    if (typed === null) return;
    if (next === 'json') setJson(JSON.stringify(typed, null, 2));
    else setLines(linesOf(typed));
    setShown(next);
  };
  const set = (at: number, change: Partial<Line>): void =>
    setLines(lines.map((line, index) => (index === at ? { ...line, ...change } : line)));
  return (
    <Form
      ref={toFirst}
      onSubmit={() => {
        if (typed !== null) save.mutate(typed);
      }}
    >
      <UnsavedGuard dirty={dirty && !save.isSuccess} />
      <SegmentedControl
        size="sm"
        aria-label={t('payments.details.as')}
        value={shown}
        onChange={(next) => show(next)}
        data={[
          { value: 'fields', label: t('payments.details.fields') },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {shown === 'json' ? (
        <Textarea
          mt="sm"
          label={t('payments.details.json')}
          autosize
          minRows={5}
          maxRows={20}
          className={styles.code ?? ''}
          value={json}
          error={typed === null ? t('payments.details.noObject') : undefined}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setJson(event.currentTarget.value)}
        />
      ) : (
        <div className={styles.lines}>
          {lines.map((line, at) => (
            <div key={line.key} className={styles.line}>
              <TextInput
                label={t('payments.details.name')}
                maxLength={100}
                value={line.name}
                onChange={(event) => set(at, { name: event.currentTarget.value })}
              />
              <TextInput
                label={t('payments.details.value')}
                maxLength={2000}
                value={written(line.value)}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                aria-label={t('payments.details.remove', { name: line.name })}
                onClick={() => setLines(lines.filter((_, index) => index !== at))}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setLines([...lines, { key: crypto.randomUUID(), name: '', value: '' }])}
          >
            {t('payments.details.add')}
          </Button>
        </div>
      )}
      {save.isError && <ProblemNote error={save.error} />}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={typed === null}>
          {t('common.save')}
        </Button>
      </Group>
    </Form>
  );
};
