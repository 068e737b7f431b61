import { STAGES } from '@hatchway/domain/terms.ts';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { occupationQuery, type Occupation } from '../../app/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TakeBackDialog } from './hand-dialogs.tsx';

/** Lent out, and whoever asks may say that it is back. */
export const isTakenBack = ({ type, stage, actions, dueAt }: Pick<Occupation, 'type' | 'stage' | 'actions' | 'dueAt'>): boolean =>
  type === 'lending' && stage === STAGES.VACANT && Boolean(dueAt) && actions.includes('return');

/** Takes a lent thing back from wherever it is named, by the dialog of its occupation's page. */
export const TakeBack = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const found = useQuery(occupationQuery(useApi(), id));
  if (found.data && isTakenBack(found.data)) return <TakeBackDialog one={found.data} onClose={onClose} />;
  if (found.isPending) return null;
  return (
    <Dialog title={t('occupations.manage.action.takeBack')} onClose={onClose}>
      {found.data ? (
        <Text>{t('occupations.manage.nothing')}</Text>
      ) : (
        <ProblemNote error={found.error} onRetry={() => void found.refetch()} />
      )}
    </Dialog>
  );
};
