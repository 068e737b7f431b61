import {
  type Icon,
  IconBox,
  IconBoxMultiple,
  IconBuildingStore,
  IconCash,
  IconHelpSquareRounded,
  IconLayoutGrid,
  IconLink,
  IconLock,
  IconPackages,
  IconSearch,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Visible } from '../../app/access.ts';
import { useApi } from '../../app/portal.ts';
import { countQuery, statsNowQuery } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './overview.module.css';

/** What stands on a card: asked for one by one, so that one that fails hides no other. */
const useFigures = ({ admin, builds, payments }: Visible) => {
  const api = useApi();
  return {
    now: useQuery(statsNowQuery(api)),
    assets: useQuery(countQuery(api, 'GET /assets')),
    payments: useQuery({ ...countQuery(api, 'GET /payments'), enabled: payments }),
    wanting: useQuery({ ...countQuery(api, 'GET /payments', { wantsEnd: true }), enabled: payments }),
    links: useQuery({ ...countQuery(api, 'GET /links'), enabled: builds }),
    members: useQuery({ ...countQuery(api, 'GET /companies/{tenant}/memberships'), enabled: admin }),
    groups: useQuery({ ...countQuery(api, 'GET /groups'), enabled: admin }),
    assetGroups: useQuery({ ...countQuery(api, 'GET /asset-groups'), enabled: admin }),
  };
};
type Figure<T> = { data: T | undefined; isError: boolean };

/** The areas that somebody may manage in this version, with what is in them now. */
export const Overview = () => {
  const { t } = useTranslation();
  const access = useAccess();
  const figures = useFigures(access);
  const failed = Object.values(figures).filter((one) => one.isError && one.data === undefined);
  const inAll = (of: Figure<number | null>) => (
    <Count of={of}>{(count) => count !== null && <span>{t('manage.areas.inAll', { count })}</span>}</Count>
  );
  const doubted = figures.now.data?.lockers.inDoubt ?? 0;
  return (
    <>
      <PageHeader title={t('manage.title')} intro={t('manage.intro')} />
      {failed.length > 0 && <ProblemNote error={failed[0]?.error} onRetry={() => failed.forEach((one) => void one.refetch())} />}
      <div className={styles.areas}>
        {access.manage && (
          <>
            <Area
              to={{ to: '/manage/occupations' }}
              icon={IconPackages}
              title={t('manage.areas.occupations')}
              text={t('manage.areas.occupationsText')}
            >
              <Count of={figures.now}>
                {({ running, overdue }) => (
                  <>
                    <span>{t('manage.areas.running', { count: running })}</span>
                    {overdue > 0 && <strong>{t('manage.areas.overdue', { count: overdue })}</strong>}
                  </>
                )}
              </Count>
            </Area>
            <Area
              to={{ to: '/services/manageoccupation' }}
              icon={IconSearch}
              title={t('manage.areas.find')}
              text={t('manage.areas.findText')}
            />
          </>
        )}
        <Area to={{ to: '/manage/assets' }} icon={IconBox} title={t('assets.title')} text={t('assets.intro')}>
          {inAll(figures.assets)}
        </Area>
        {access.may('lock-control') && (
          <Area
            to={{ to: '/services/lock-control' }}
            icon={IconLock}
            title={t('manage.areas.lock-control')}
            text={t('manage.areas.lock-controlText')}
          >
            <Count of={figures.now}>
              {({ lockers }) => (
                <>
                  <span>{t('manage.areas.free', { count: lockers.free })}</span>
                  {lockers.inDoubt > 0 && <strong>{t('manage.areas.inDoubt', { count: lockers.inDoubt })}</strong>}
                </>
              )}
            </Count>
          </Area>
        )}
        {access.builds && (
          <Area to={{ to: '/manage/lockers' }} icon={IconLayoutGrid} title={t('builder.title')} text={t('builder.intro')}>
            <Count of={figures.now}>{({ lockers }) => <span>{t('dashboard.total', { count: lockers.total })}</span>}</Count>
          </Area>
        )}
        {access.builds && doubted > 0 && (
          <Area
            to={{ to: '/manage/lockers', search: { view: 'doubt' } }}
            icon={IconHelpSquareRounded}
            title={t('builder.doubt.title')}
            text={t('builder.doubt.intro')}
          >
            <strong>{t('manage.areas.inDoubt', { count: doubted })}</strong>
          </Area>
        )}
        {access.payments && (
          <Area to={{ to: '/manage/payments' }} icon={IconCash} title={t('payments.title')} text={t('payments.intro')}>
            {inAll(figures.payments)}
            {Boolean(figures.wanting.data) && <strong>{t('manage.areas.wanting', { count: figures.wanting.data ?? 0 })}</strong>}
          </Area>
        )}
        {access.may('storefront') && (
          <Area
            to={{ to: '/services/storefront' }}
            icon={IconBuildingStore}
            title={t('terms.service.storefront')}
            text={t('storefront.intro')}
          />
        )}
        {access.builds && (
          <Area to={{ to: '/manage/links' }} icon={IconLink} title={t('links.title')} text={t('links.intro')}>
            {inAll(figures.links)}
          </Area>
        )}
        {access.admin && (
          <>
            <Area to={{ to: '/iam/users' }} icon={IconUsers} title={t('members.title')} text={t('members.intro')}>
              {inAll(figures.members)}
            </Area>
            <Area to={{ to: '/iam/groups' }} icon={IconUsersGroup} title={t('groups.title')} text={t('groups.intro')}>
              {inAll(figures.groups)}
            </Area>
            <Area to={{ to: '/iam/assetgroups' }} icon={IconBoxMultiple} title={t('assetGroups.title')} text={t('assetGroups.intro')}>
              {inAll(figures.assetGroups)}
            </Area>
          </>
        )}
      </div>
    </>
  );
};

type AreaProps = { to: LinkProps; icon: Icon; title: string; text: string; children?: ReactNode };
const Area = ({ to, icon: AreaIcon, title, text, children }: AreaProps) => (
  <Link search={{}} {...to} className={styles.area}>
    <AreaIcon size={24} stroke={1.6} aria-hidden />
    <div className={styles.words}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className={styles.counts}>{children}</div>}
    </div>
  </Link>
);

/** A figure, its place while it is on its way, or that it is not known. */
const Count = <T,>({ of, children }: { of: Figure<T>; children: (known: T) => ReactNode }) => {
  const { t } = useTranslation();
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <span className={styles.unknown}>{t('manage.areas.unknown')}</span>;
  return (
    <div className={styles.bone}>
      <Bones lines={1} />
    </div>
  );
};
