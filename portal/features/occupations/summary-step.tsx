import { Button, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Facts, Panel } from '../../ui/panel.tsx';
import type { DoorChoice } from './choice.ts';
import { assetName, type Draft } from './draft.ts';
import type { StepId } from './plan.ts';
import styles from './service.module.css';

type Props = {
  draft: Draft;
  steps: readonly StepId[];
  choice: DoorChoice;
  busy: boolean;
  onChange: (patch: Partial<Draft>) => void;
  onGo: (step: StepId) => void;
  onOpen: () => void;
};

/** All that was said, each with a way to change it; one press registers it and opens the door. */
export const SummaryStep = ({ draft, steps, choice, busy, onChange, onGo, onOpen }: Props) => {
  const { t } = useTranslation();
  const { locker } = choice;
  const row = (name: string, step: StepId, value: string) =>
    [
      name,
      <span className={styles.summaryRow} key={step}>
        <span>{value}</span>
        <Button variant="subtle" size="compact-sm" onClick={() => onGo(step)}>
          {t('common.edit')}
          <span className={styles.hidden}> {name}</span>
        </Button>
      </span>,
    ] as const;
  const person = [draft.receiver.name, draft.receiver.tlf, draft.receiver.email]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' · ');
  const cabinet = choice.walls.cabinets.find((one) => one.id === locker?.cabinetId);
  return (
    <div className={styles.narrow}>
      <Panel title={t('occupations.step.summary')}>
        <Facts
          rows={[
            ...(steps.includes('asset') ? [row(t('occupations.summary.what'), 'asset', assetName(draft))] : []),
            ...(draft.orderRef === '' ? [] : [row(t('occupations.summary.order'), 'order', draft.orderRef)]),
            ...(steps.includes('receiver') ? [row(t('occupations.summary.who'), 'receiver', person)] : []),
            row(
              t('occupations.summary.where'),
              'locker',
              locker === null ? t('occupations.alert.locker') : `${locker.doorTag} (${locker.size}) · ${cabinet?.name ?? ''}`,
            ),
          ]}
        />
      </Panel>
      <Textarea
        label={t('occupations.summary.note')}
        placeholder={t('occupations.summary.notePlaceholder')}
        autosize
        minRows={2}
        maxLength={1000}
        value={draft.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <p className={styles.quiet}>{t('occupations.summary.ready')}</p>
      <Button size="lg" onClick={onOpen} loading={busy} disabled={locker === null} data-step-focus>
        {t('occupations.summary.open', { tag: locker?.doorTag ?? '' })}
      </Button>
    </div>
  );
};
