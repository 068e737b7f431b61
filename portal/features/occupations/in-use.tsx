import { liesThere } from '@hatchway/domain/register.ts';
import { STAGES, stageName, type Stage } from '@hatchway/domain/terms.ts';
import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, usePortal } from '../../app/portal.ts';
import type { Occupation } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { usesQuery } from '../assets/api.ts';
import type { Draft } from './draft.ts';
import { serviceOf, type Plan } from './plan.ts';

const apart = (uses: readonly Occupation[], plan: Plan): Occupation | null => uses.find(({ type }) => liesThere(plan.type, type)) ?? null;

/** What it is in use for, in words. Only a stage that says that it is inside lets us say where it lies. */
const useWords = () => {
  const { t } = useTranslation();
  return (name: string, { type, service, stage, doorTag, dueAt }: Occupation): string => {
    if (type === 'recall' && stage < STAGES.FILLED) return t('occupations.asset.recalled.to', { name, tag: doorTag });
    const inside = stage >= STAGES.FILLED && stage <= STAGES.CLAIMING;
    return t(`occupations.asset.inUse.${inside ? 'lies' : 'under'}`, {
      name,
      tag: doorTag,
      service: t(`terms.service.${serviceOf({ type, service })}`),
      stage: dueAt ? t('terms.onLoan') : t(`terms.stage.${stageName(stage as Stage)}`),
    });
  };
};

/** `use`: null where the server knows of one that is out of their sight, or over by now. */
type Asked = { draft: Draft; use: Occupation | null };
/**
 * One thing lies in one place: one that is in use already goes on by somebody's word alone. What could not be asked stands in nobody's
 * way: the server refuses what nobody gave their word for.
 */
export function useInUse(plan: Plan) {
  const { api, queryClient } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Answers whether it may go on; else somebody is being asked. */
  const isFree = async (draft: Draft): Promise<boolean> => {
    if (draft.asset === null || draft.sureOf === draft.asset.id) return true;
    const use = apart(await queryClient.fetchQuery(usesQuery(api, draft.asset.id)).catch(() => []), plan);
    if (use !== null) setAsked({ draft, use });
    return use === null;
  };
  /** Somebody was quicker: what was read before is outdated. */
  const askAnew = async (draft: Draft, { id }: NonNullable<Draft['asset']>): Promise<void> => {
    const uses = await queryClient.fetchQuery({ ...usesQuery(api, id), staleTime: 0 }).catch(() => []);
    setAsked({ draft, use: apart(uses, plan) });
  };
  return { asked, setAsked, isFree, askAnew };
}

/** Said as soon as it is picked, before anybody goes on. */
export const InUseNote = ({ asset, plan }: { asset: NonNullable<Draft['asset']>; plan: Plan }) => {
  const { t } = useTranslation();
  const words = useWords();
  const use = apart(useQuery(usesQuery(useApi(), asset.id)).data ?? [], plan);
  if (use === null) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {words(asset.name, use)}{' '}
      <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: use.id }} />}>
        {t('lockers.seeOccupation')}
      </Anchor>
    </Alert>
  );
};

type DialogProps = { asked: Asked; plan: Plan; onConfirm: () => void; onClose: () => void };
export const InUseDialog = ({ asked, plan, onConfirm, onClose }: DialogProps) => {
  const { t } = useTranslation();
  const words = useWords();
  const name = asked.draft.asset?.name ?? '';
  const how = plan.type === 'recall' ? 'recalled' : 'inUse';
  return (
    <ConfirmDialog
      opened
      // A scan that ends with Enter must not say it: the way back has the focus.
      destructive
      title={t(`occupations.asset.${how}.title`, { name })}
      action={t('occupations.asset.inUse.goOn')}
      keep={t('occupations.asset.inUse.other')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {asked.use !== null && words(name, asked.use)} {t(`occupations.asset.${how}.ask`)}
    </ConfirmDialog>
  );
};
