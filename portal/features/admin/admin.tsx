import { mayAdminister } from '@hatchway/domain/access.ts';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import styles from './admin.module.css';
import { Administration, type SectionId } from './menu.tsx';
import { SECTIONS } from './sections.tsx';

export type AdminSearch = { section?: SectionId } & Record<string, unknown>;

const isSection = (word: unknown): word is SectionId => typeof word === 'string' && Object.hasOwn(SECTIONS, word);

/** The company as its administrators keep it, a section at a time; the section stands in the address. */
export const Admin = ({ search }: { search: AdminSearch }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = mayAdminister('companies', useFacts());
  const { section: asked, ...rest } = search;
  const section = isSection(asked) ? asked : 'company';
  const Part = SECTIONS[section];
  if (!may) return <ForOthers title={t('admin.adminOnly')} text={t('admin.adminOnlyText')} />;
  return (
    <Administration here={section}>
      <PageHeader title={t('admin.title')} intro={t('admin.intro')} />
      <div className={styles.part} key={section}>
        <Suspense fallback={<Bones lines={6} height={24} />}>
          <Part search={rest} onSearch={(next) => void navigate({ to: '/admin', search: { ...next, section }, replace: true })} />
        </Suspense>
      </div>
    </Administration>
  );
};
