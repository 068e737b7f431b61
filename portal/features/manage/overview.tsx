import {
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
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { statsNowQuery } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import styles from './overview.module.css';

const icon = { size: 24, stroke: 1.6, 'aria-hidden': true } as const;

/** The areas that somebody may manage in this version, with what is in them now. */
export const Overview = () => {
  const { t } = useTranslation();
  const access = useAccess();
  const { data } = useQuery(statsNowQuery(useApi()));
  return (
    <>
      <PageHeader title={t('manage.title')} intro={t('manage.intro')} />
      <div className={styles.areas}>
        {access.manage && (
          <>
            <Link to="/manage/occupations" search={{}} className={styles.area}>
              <IconPackages {...icon} />
              <Words title={t('manage.areas.occupations')} text={t('manage.areas.occupationsText')}>
                {data && t('manage.areas.running', { count: data.running })}
                {data && data.overdue > 0 && <strong>{t('manage.areas.overdue', { count: data.overdue })}</strong>}
              </Words>
            </Link>
            <Link to="/services/manageoccupation" search={{}} className={styles.area}>
              <IconSearch {...icon} />
              <Words title={t('manage.areas.find')} text={t('manage.areas.findText')} />
            </Link>
          </>
        )}
        <Link to="/manage/assets" search={{}} className={styles.area}>
          <IconBox {...icon} />
          <Words title={t('assets.title')} text={t('assets.intro')} />
        </Link>
        {access.may('lock-control') && (
          <Link to="/services/lock-control" search={{}} className={styles.area}>
            <IconLock {...icon} />
            <Words title={t('manage.areas.lock-control')} text={t('manage.areas.lock-controlText')}>
              {data && t('manage.areas.free', { count: data.lockers.free })}
              {data && data.lockers.inDoubt > 0 && <strong>{t('manage.areas.inDoubt', { count: data.lockers.inDoubt })}</strong>}
            </Words>
          </Link>
        )}
        {access.builds && (
          <Link to="/manage/lockers" search={{}} className={styles.area}>
            <IconLayoutGrid {...icon} />
            <Words title={t('builder.title')} text={t('builder.intro')} />
          </Link>
        )}
        {access.builds && data && data.lockers.inDoubt > 0 && (
          <Link to="/manage/lockers" search={{ view: 'doubt' }} className={styles.area}>
            <IconHelpSquareRounded {...icon} />
            <Words title={t('builder.doubt.title')} text={t('builder.doubt.intro')}>
              <strong>{t('manage.areas.inDoubt', { count: data.lockers.inDoubt })}</strong>
            </Words>
          </Link>
        )}
        {access.payments && (
          <Link to="/manage/payments" search={{}} className={styles.area}>
            <IconCash {...icon} />
            <Words title={t('payments.title')} text={t('payments.intro')} />
          </Link>
        )}
        {access.may('storefront') && (
          <Link to="/services/storefront" search={{}} className={styles.area}>
            <IconBuildingStore {...icon} />
            <Words title={t('terms.service.storefront')} text={t('storefront.intro')} />
          </Link>
        )}
        {access.builds && (
          <Link to="/manage/links" search={{}} className={styles.area}>
            <IconLink {...icon} />
            <Words title={t('links.title')} text={t('links.intro')} />
          </Link>
        )}
        {access.admin && (
          <Link to="/iam/users" search={{}} className={styles.area}>
            <IconUsers {...icon} />
            <Words title={t('members.title')} text={t('members.intro')} />
          </Link>
        )}
        {access.admin && (
          <Link to="/iam/groups" search={{}} className={styles.area}>
            <IconUsersGroup {...icon} />
            <Words title={t('groups.title')} text={t('groups.intro')} />
          </Link>
        )}
        {access.admin && (
          <Link to="/iam/assetgroups" search={{}} className={styles.area}>
            <IconBoxMultiple {...icon} />
            <Words title={t('assetGroups.title')} text={t('assetGroups.intro')} />
          </Link>
        )}
      </div>
    </>
  );
};

const Words = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <div className={styles.words}>
    <h2>{title}</h2>
    <p>{text}</p>
    {children && <div className={styles.counts}>{children}</div>}
  </div>
);
