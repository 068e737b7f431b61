import { STAGES } from '@hatchway/domain/terms.ts';
import { Button } from '@mantine/core';
import { IconEyeOff, IconPhotoOff, IconTag } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useAccess } from '../../app/who.ts';
import { BytesImage } from '../../ui/bytes-image.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { StageBadge } from '../../ui/stage-badge.tsx';
import { useOccupationCommands } from '../occupations/api.ts';
import { DoubtBadge, DoubtNote } from '../occupations/doubt-note.tsx';
import { freePieces, type Good, isOffered, pictureQuery } from './api.ts';
import { useGoodName } from './good-name.ts';
import styles from './storefront.module.css';

type Props = { good: Good; pictured: boolean; onSell: () => void; onRefill: () => void; onPrice: () => void };

/** One thing for sale in its locker: what it costs, how many are left, whether it is offered, and what can be done with it now. */
export const GoodCard = ({ good, pictured, onSell, onRefill, onPrice }: Props) => {
  const { t } = useTranslation();
  const money = useMoney();
  const name = useGoodName(good);
  const commands = useOccupationCommands();
  const free = freePieces(good);
  const publish = useMutation({
    mutationFn: () => commands.act({ id: good.id, action: 'publish' }),
    onSuccess: () => toast.ok(t('storefront.published', { name })),
  });
  const sells = isOffered(good) && free > 0 && !good.inDoubt;
  return (
    <li className={styles.good}>
      <Picture id={pictured ? good.assetId : null} />
      <div className={styles.words}>
        <h2>{name}</h2>
        <strong className={styles.price}>{good.price ? money(good.price.amount, good.price.currency) : t('common.notSet')}</strong>
        <p className={styles.stock}>
          {t('storefront.left', { count: free })}
          {good.held > 0 && <Held good={good} />}
        </p>
        <p className={styles.where}>
          <Offered good={good} /> <span>{t('storefront.inDoor', { tag: good.doorTag })}</span>
        </p>
      </div>
      <div className={styles.actions}>
        {good.actions.includes('publish') && (
          <Button loading={publish.isPending} onClick={() => publish.mutate()}>
            {t('terms.action.publish')}
          </Button>
        )}
        {sells && (
          <Button aria-label={t('payments.take.sell', { name })} onClick={onSell}>
            {t('occupations.manage.action.sell')}
          </Button>
        )}
        {good.actions.includes('fill') && (good.stage === STAGES.FILLED || good.stage === STAGES.ACQUIRABLE) && (
          <Button variant="default" onClick={onRefill}>
            {t('storefront.refill')}
          </Button>
        )}
        {good.actions.includes('amend') && (
          <Button variant="default" onClick={onPrice}>
            {t('storefront.price')}
            <span className="hw-spoken"> {name}</span>
          </Button>
        )}
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: good.id }} />}>
          {t('storefront.manage')}
          <span className="hw-spoken"> {name}</span>
        </Button>
      </div>
      {good.inDoubt && (
        <>
          <p className={styles.text}>{t('storefront.notSold')}</p>
          <DoubtNote lockerId={good.lockerId} />
        </>
      )}
      {publish.isError && <ProblemNote error={publish.error} />}
    </li>
  );
};

/** Pieces that are being paid for, and the way to who pays; to whoever may see no payments only the figure. */
const Held = ({ good }: { good: Good }) => {
  const { t } = useTranslation();
  const { payments } = useAccess();
  const words = t('storefront.held', { count: good.held });
  return payments && good.paymentIds.length > 0 ? (
    <>
      {' '}
      <Link className={styles.held} to="/manage/payments" search={{ occupation: good.id, state: 'underway' }}>
        {words}
      </Link>
    </>
  ) : (
    ` ${words}`
  );
};

/** What a customer would care for; everything else by its stage. */
const Offered = ({ good }: { good: Good }) => {
  const { t } = useTranslation();
  if (good.stage === STAGES.FILLED) return <StateBadge icon={IconEyeOff} tone="warn" word={t('storefront.notOffered')} />;
  if (good.inDoubt) return <DoubtBadge one={good} />;
  if (isOffered(good) && good.stage !== STAGES.CLAIMING) return <StateBadge icon={IconTag} tone="ok" word={t('storefront.offered')} />;
  return <StageBadge stage={good.stage} />;
};

const Picture = ({ id }: { id: string | null }) => {
  const api = useApi();
  const { data } = useQuery({ ...pictureQuery(api, id ?? ''), enabled: id !== null });
  return (
    <div className={styles.picture}>{data ? <BytesImage bytes={data} alt="" /> : <IconPhotoOff size={32} stroke={1.4} aria-hidden />}</div>
  );
};
