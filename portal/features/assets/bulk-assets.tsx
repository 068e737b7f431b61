import type { ProblemCode } from '@hatchway/contract/problems.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Asset, groupsQuery, labelsQuery, useAssetCommands } from './api.ts';
import { WhoWaits } from './who-waits.tsx';

const ACTS = ['group', 'label', 'delete'] as const;
type Act = (typeof ACTS)[number];
type Refused = { name: string; code: ProblemCode };

/** So many at a time: quick enough, and no flood. */
const AT_ONCE = 4;

/** What may be done to several at once. Each gets its own answer; those that were refused are named with the reason. */
export const BulkAssets = ({ rows, onDone }: { rows: Asset[]; onDone: () => void }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useAssetCommands();
  const groups = useQuery(groupsQuery(api)).data ?? [];
  const labels = useQuery(labelsQuery(api)).data ?? [];
  const [asking, setAsking] = useState<Act | null>(null);
  const [choice, setChoice] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused[]>([]);
  const act = (row: Asset): Promise<unknown> => {
    if (asking === 'delete') return commands.remove(row._id);
    if (asking === 'label') return commands.change(row, { statusLabelId: choice || null });
    return commands.change(row, { assetGroupIds: [...new Set([...row.assetGroupIds, choice])] });
  };
  const run = async (): Promise<void> => {
    setBusy(true);
    const failed: Refused[] = [];
    const waiting = [...rows];
    const worker = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        const { name } = row;
        await act(row).catch((error: unknown) => failed.push({ name, code: codeOf(error) ?? 'unavailable' }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    setBusy(false);
    setAsking(null);
    setRefused(failed);
    if (failed.length > 0) return toast.warn(t('assets.bulk.doneSome', { done: rows.length - failed.length, refused: failed.length }));
    toast.ok(t('assets.bulk.doneAll', { count: rows.length }));
    return onDone();
  };
  const options = asking === 'label' ? labels : groups;
  return (
    <>
      {ACTS.map((one) => (
        <Button
          key={one}
          size="xs"
          variant="default"
          onClick={() => {
            setChoice(one === 'group' ? (groups[0]?.id ?? '') : '');
            setAsking(one);
          }}
        >
          {t(`assets.bulk.${one}`)}
        </Button>
      ))}
      {refused.length > 0 && (
        <details open>
          <summary>{t('assets.bulk.refusedTitle')}</summary>
          <ul>
            {refused.map(({ name, code }) => (
              <li key={name}>
                {name}: {t(`problems.${code}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {asking && (
        <ConfirmDialog
          opened
          destructive={asking === 'delete'}
          busy={busy}
          title={t(`assets.bulk.${asking}Title`, { count: rows.length })}
          action={asking === 'delete' ? t('assets.bulk.delete') : t('assets.bulk.apply')}
          onConfirm={() => {
            if (asking !== 'group' || choice) void run();
          }}
          onClose={() => setAsking(null)}
        >
          {asking === 'delete' ? (
            <p>{t('assets.bulk.deleteText')}</p>
          ) : (
            <NativeSelect
              label={t(asking === 'label' ? 'assets.label' : 'assets.groups')}
              value={choice}
              error={asking === 'group' && !choice ? t('assets.bulk.pickGroup') : undefined}
              onChange={(event) => setChoice(event.currentTarget.value)}
              data={[
                ...(asking === 'label' ? [{ value: '', label: t('assets.noLabel') }] : []),
                ...options.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          {asking === 'label' && <WhoWaits ids={rows.map(({ _id }) => _id)} labelId={choice || null} />}
          <p>
            {rows
              .map((row) => row.name)
              .slice(0, 12)
              .join(', ')}
            {rows.length > 12 && ' …'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};
