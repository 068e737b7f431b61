import { historyReach } from '@hatchway/domain/access.ts';
import { letsOut, STAGES } from '@hatchway/domain/terms.ts';
import { Anchor, Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useAccess, useFacts, useToken, useZone } from '../../app/who.ts';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { emptyDraft, type Draft } from '../occupations/draft.ts';
import { holderOf, isOutThere } from '../occupations/holder-of.ts';
import { layReady, newKey } from '../occupations/kept.ts';
import type { FillService, StepId } from '../occupations/plan.ts';
import { isTakenBack, TakeBack } from '../occupations/take-back.tsx';
import { type Asset, labelsQuery, usesQuery } from './api.ts';
import styles from './assets.module.css';
import { LabelBadge } from './label-badge.tsx';

/** Where it is and who has it, and what is likely to be done with it next. */
export const AssetNow = ({ asset }: { asset: Asset }) => {
  const { t } = useTranslation();
  const api = useApi();
  const access = useAccess();
  const navigate = useNavigate();
  const tenantId = useToken().tenant?.tenant_id ?? '';
  const found = useQuery(usesQuery(api, asset._id));
  const uses = found.data ?? [];
  const seesAll = historyReach(useFacts()).all;
  const label = useQuery(labelsQuery(api)).data?.find(({ id }) => id === asset.statusLabelId);
  const begin = (service: FillService, step: StepId, receiver: Draft['receiver'] | null = null): void => {
    const draft = { ...emptyDraft(step, newKey()), text: asset.name, asset: { id: asset._id, name: asset.name } };
    layReady(tenantId, service, receiver === null ? draft : { ...draft, receiver });
    void navigate({ to: `/services/${service}` });
  };
  /** Whoever has it is asked to bring it. */
  const back = useMutation({
    mutationFn: () => holderOf(api, asset),
    onSuccess: (receiver) => begin('recall', uses.some(({ type }) => type === 'recall') ? 'asset' : 'receiver', receiver),
  });
  const outThere = isOutThere(asset);
  const zone = useZone();
  const out = asset.dueAt !== null;
  const free = !out && found.data?.length === 0;
  const mayGoOut = letsOut(label?.type ?? null);
  const now = useNow(60_000);
  const late = asset.dueAt !== null && Date.parse(asset.dueAt) < now;
  const lends = free && !outThere && mayGoOut && access.may('lending');
  const lent = uses.find(isTakenBack);
  /** The use that is ended: by its id, so that another loan of the asset is none of it. */
  const [backing, setBacking] = useState<string | null>(null);
  const acts = [
    lent && (
      <Button key="return" onClick={() => setBacking(lent?.id ?? null)}>
        {t('assets.takeBack')}
      </Button>
    ),
    lends && (
      <Button key="lend" onClick={() => begin('lending', 'locker')}>
        {t('assets.lend')}
      </Button>
    ),
    free && !outThere && access.may('delivery') && (
      <Button key="deliver" variant={lends ? 'default' : 'filled'} onClick={() => begin('delivery', 'receiver')}>
        {t('assets.deliver')}
      </Button>
    ),
    outThere && access.may('recall') && (
      <Button key="back" variant="default" loading={back.isPending} onClick={() => back.mutate()}>
        {t('assets.takeBack')}
      </Button>
    ),
    asset.holder && access.may('recall') && (
      // Where it is being recalled already, the step that says so comes first.
      <Button key="recall" variant="default" loading={back.isPending} onClick={() => back.mutate()}>
        {t('assets.recall')}
      </Button>
    ),
  ].filter(Boolean);
  return (
    <Panel title={t('assets.now')}>
      <Facts
        rows={[
          [t('assets.label'), label ? <LabelBadge key="label" label={label} /> : t('assets.noLabel')],
          ...(out
            ? [
                [t('assets.holder'), asset.holder?.name ?? '–'] as const,
                [
                  t('assets.dueBack'),
                  <span key="due">
                    <Moment at={asset.dueAt} zone={zone} /> {late && <OverdueBadge />}
                  </span>,
                ] as const,
              ]
            : []),
          ...uses.map(
            (use) =>
              [
                t('terms.occupation'),
                <span key={use.id}>
                  <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: use.id }} />}>
                    {t(out && use.stage === STAGES.VACANT ? 'assets.outOf' : 'assets.lies', { tag: use.doorTag })}
                  </Anchor>{' '}
                  <UseBadge one={use} />
                </span>,
              ] as const,
          ),
        ]}
      />
      <Waiting of={found} lines={1} />
      {free && <p className={styles.quiet}>{t(seesAll ? 'assets.nowhere' : 'assets.nowhereSeen')}</p>}
      {acts.length > 0 && <div className={styles.acts}>{acts}</div>}
      {backing !== null && <TakeBack id={backing} onClose={() => setBacking(null)} />}
    </Panel>
  );
};
