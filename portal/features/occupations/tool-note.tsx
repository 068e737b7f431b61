import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { assetQuery, type Asset } from './api.ts';
import type { Draft } from './draft.ts';
import type { Plan } from './plan.ts';

/** What the asset tool says that speaks against handing it out; null where it says nothing of the kind. */
export const toolWord = ({ tool }: Pick<Asset, 'tool'>): 'outThere' | 'notLendableThere' | null => {
  if (tool?.state === 'out') return 'outThere';
  return tool?.state === 'not-lendable' ? 'notLendableThere' : null;
};

/** Said as soon as it is picked, and once more before the door opens. What comes back may come back whatever the tool says. */
export const ToolNote = ({ asset, plan }: { asset: NonNullable<Draft['asset']>; plan: Plan }) => {
  const { t } = useTranslation();
  const { data } = useQuery({ ...assetQuery(useApi(), asset.id), enabled: plan.type !== 'recall' });
  const word = data === undefined || plan.type === 'recall' ? null : toolWord(data);
  if (word === null) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {asset.name}: {t(`occupations.asset.${word}`)}
    </Alert>
  );
};
