import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Placeholder } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useSureInside } from '../lockers/sure-inside.tsx';
import { doorAt } from './faults.tsx';
import { RefillDialog } from './hand-dialogs.tsx';
import { NotEmptyDialog } from './not-empty-dialog.tsx';
import type { FillService } from './plan.ts';
import { RunningPanel, type RunningAct } from './running-panel.tsx';
import type { Flow } from './use-flow.ts';

/** The last step: what was registered is under way at its door. */
export const Running = ({ flow, service, onByHand }: { flow: Flow; service: FillService; onByHand: () => void }) => {
  const { t } = useTranslation();
  const { running, occupation } = flow;
  const { sure, question } = useSureInside();
  const [counts, setCounts] = useState(false);
  const [full, setFull] = useState(false);
  if (running.occupation.isError && occupation === null) {
    return (
      <>
        <ProblemNote error={running.occupation.error} onRetry={() => void running.occupation.refetch()} />
        <Button onClick={() => flow.restart()}>{t(`occupations.act.nextOf.${service}`)}</Button>
      </>
    );
  }
  const besides = flow.instead?.cabinetId === running.locker?.cabinetId;
  const instead = besides ? flow.instead?.doorTag : doorAt(flow.instead, flow.choice, t);
  if (occupation === null || running.scene === null) return <Placeholder height={220} />;
  const onAct = (act: RunningAct) => {
    if (act === 'by-hand') onByHand();
    // Of a stock that was emptied and begun anew nobody has said how many go in.
    else if (act === 'not-empty') setFull(true);
    else if (act === 'inside' && occupation.quantity === 0) setCounts(true);
    else if (act === 'inside')
      sure(
        occupation.lockerId,
        () => void flow.act(act),
        () => void flow.act('open'),
      );
    else void flow.act(act);
  };
  return (
    <>
      <RunningPanel
        service={service}
        scene={running.scene}
        occupation={occupation}
        locker={running.locker}
        attempt={running.attempt}
        choice={flow.choice}
        instead={instead ?? null}
        insteadDoor={flow.instead}
        busy={flow.busy === 'register' ? 'next-best' : flow.busy}
        error={running.error}
        onAct={onAct}
      />
      {question}
      {full && (
        <NotEmptyDialog
          occupation={occupation}
          locker={running.locker}
          onConfirm={() => {
            setFull(false);
            void flow.act('not-empty');
          }}
          onClose={() => setFull(false)}
        />
      )}
      {counts && <RefillDialog one={occupation} onClose={() => setCounts(false)} />}
    </>
  );
};
