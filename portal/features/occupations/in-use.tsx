import { liesThere } from '@hatchway/domain/register.ts';
import { STAGES, stageName, type Stage } from '@hatchway/domain/terms.ts';
import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline, shortTime } from '../../app/dates.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import type { Occupation } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Asset, assetQuery, usesQuery } from '../assets/api.ts';
import { inUseQuery } from './api.ts';
import type { Draft } from './draft.ts';
import { otherUse } from './kept-in.ts';
import { serviceOf, type Plan } from './plan.ts';

const apart = (uses: readonly Occupation[], plan: Plan): Occupation | null => otherUse(plan.type, uses) ?? null;
/** When it is due back, of a thing whose loan is out of their sight: that it is out, everybody may know. */
const outUntil = (asset: Asset | undefined, plan: Plan): string | null => (liesThere(plan.type, 'lending') ? (asset?.dueAt ?? null) : null);

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

/** `use`: null where the server knows of one that is out of their sight, or over by now. `dueAt`: of a loan that is out of it. */
type Asked = { draft: Draft; use: Occupation | null; dueAt: string | null };
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
    const { id } = draft.asset;
    const [uses, asset, inUse] = await Promise.all([
      queryClient.fetchQuery(usesQuery(api, id)).catch(() => []),
      queryClient.fetchQuery(assetQuery(api, id)).catch(() => undefined),
      queryClient.fetchQuery(inUseQuery(api, plan.type, [id])).catch(() => []),
    ]);
    const [use, dueAt] = [apart(uses, plan), outUntil(asset, plan)];
    if (use === null && dueAt === null && inUse.length === 0) return true;
    setAsked({ draft, use, dueAt });
    return false;
  };
  /** Somebody was quicker: what was read before is outdated. */
  const askAnew = async (draft: Draft, { id }: NonNullable<Draft['asset']>): Promise<void> => {
    const uses = await queryClient.fetchQuery({ ...usesQuery(api, id), staleTime: 0 }).catch(() => []);
    setAsked({ draft, use: apart(uses, plan), dueAt: null });
  };
  return { asked, setAsked, isFree, askAnew };
}

/** Said as soon as it is picked, before anybody goes on. */
export const InUseNote = ({ asset, plan }: { asset: NonNullable<Draft['asset']>; plan: Plan }) => {
  const { t } = useTranslation();
  const zone = useZone();
  const words = useWords();
  const api = useApi();
  const use = apart(useQuery(usesQuery(api, asset.id)).data ?? [], plan);
  const dueAt = outUntil(useQuery(assetQuery(api, asset.id)).data, plan);
  const unseen = useQuery(inUseQuery(api, plan.type, [asset.id])).data?.includes(asset.id) === true;
  if (use === null && dueAt === null && !unseen) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {use === null ? (
        dueAt === null ? (
          t('occupations.asset.inUse.unseen', { name: asset.name })
        ) : (
          t('occupations.asset.inUse.out', { name: asset.name, time: deadline(dueAt, zone, shortTime) })
        )
      ) : (
        <>
          {words(asset.name, use)}{' '}
          <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: use.id }} />}>
            {t('lockers.seeOccupation')}
          </Anchor>
        </>
      )}
    </Alert>
  );
};

type DialogProps = { asked: Asked; plan: Plan; onConfirm: () => void; onClose: () => void };
export const InUseDialog = ({ asked, plan, onConfirm, onClose }: DialogProps) => {
  const { t } = useTranslation();
  const zone = useZone();
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
      {asked.use !== null
        ? words(name, asked.use)
        : asked.dueAt !== null && t('occupations.asset.inUse.out', { name, time: deadline(asked.dueAt, zone, shortTime) })}{' '}
      {t(`occupations.asset.${how}.ask`)}
    </ConfirmDialog>
  );
};
