import { mayAdminister } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { IconApi, IconBoxMultiple, IconChevronDown, IconKey, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccess, useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import styles from './admin.module.css';
import { ICONS, SECTIONS, type SectionId } from './sections.tsx';

export type AdminSearch = { section?: SectionId } & Record<string, unknown>;

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;
const isSection = (word: unknown): word is SectionId => typeof word === 'string' && Object.hasOwn(SECTIONS, word);

/** The company as its administrators keep it, a section at a time; the section stands in the address. */
export const Admin = ({ search }: { search: AdminSearch }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = mayAdminister('companies', useFacts());
  const { section: asked, ...rest } = search;
  const section = isSection(asked) ? asked : 'company';
  const Part = SECTIONS[section];
  if (!may)
    return (
      <Notice title={t('admin.adminOnly')} text={t('admin.adminOnlyText')}>
        <Button component={Link} to="/" variant="default">
          {t('pages.notFound.home')}
        </Button>
      </Notice>
    );
  return (
    <>
      <PageHeader title={t('admin.title')} intro={t('admin.intro')} />
      <div className={styles.admin}>
        <Sections here={section} />
        <div className={styles.part} key={section}>
          <Suspense fallback={<Bones lines={6} height={24} />}>
            {Part && (
              <Part search={rest} onSearch={(next) => void navigate({ to: '/admin', search: { ...next, section }, replace: true })} />
            )}
          </Suspense>
        </div>
      </div>
    </>
  );
};

const Sections = ({ here }: { here: SectionId }) => {
  const { t } = useTranslation();
  const { keys } = useAccess();
  // A phone shows where one is; the others are a press away.
  const [openAt, setOpenAt] = useState<SectionId | null>(null);
  const open = openAt === here;
  const setOpen = (on: boolean): void => setOpenAt(on ? here : null);
  const Here = ICONS[here];
  return (
    <nav className={styles.nav} aria-label={t('admin.sectionsLabel')} data-open={open || undefined}>
      <button type="button" className={styles.toggle} aria-expanded={open} aria-controls="admin-sections" onClick={() => setOpen(!open)}>
        <Here {...icon} />
        {t(`admin.sections.${here}`)}
        <IconChevronDown size={18} aria-hidden />
      </button>
      <div id="admin-sections" className={styles.all}>
        <ul>
          {(Object.keys(ICONS) as SectionId[]).filter(isSection).map((id) => {
            const Icon = ICONS[id];
            return (
              <li key={id}>
                <Link
                  to="/admin"
                  search={{ section: id }}
                  className={styles.link}
                  activeProps={{}}
                  aria-current={id === here ? 'page' : undefined}
                  data-here={id === here || undefined}
                >
                  <Icon {...icon} />
                  {t(`admin.sections.${id}`)}
                </Link>
              </li>
            );
          })}
        </ul>
        <h2 className={styles.label}>{t('admin.people')}</h2>
        <ul>
          <Elsewhere to="/iam/users" label={t('admin.links.users')} icon={IconUsers} />
          <Elsewhere to="/iam/groups" label={t('admin.links.groups')} icon={IconUsersGroup} />
          <Elsewhere to="/admin/permissions" label={t('admin.links.permissions')} icon={IconKey} />
          <Elsewhere to="/iam/assetgroups" label={t('assetGroups.title')} icon={IconBoxMultiple} />
          {keys && <Elsewhere to="/admin/api" label={t('admin.links.api')} icon={IconApi} />}
        </ul>
      </div>
    </nav>
  );
};

const Elsewhere = ({ to, label, icon: Sign }: { to: string; label: string; icon: typeof IconUsers }) => (
  <li>
    <Link to={to} search={{}} className={styles.link} activeProps={{}}>
      <Sign {...icon} />
      {label}
    </Link>
  </li>
);
