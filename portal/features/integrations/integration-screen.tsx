import { mayAdminister } from '@hatchway/domain/access.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import styles from './integrations.module.css';

/** Those that have an address of their own: the payment provider and the directories. */
type Props = { kind: 'vipps' | 'entra' | 'scim'; children: ReactNode; /** As wide as the page. */ below?: ReactNode };
export const IntegrationScreen = ({ kind, children, below }: Props) => {
  const { t } = useTranslation();
  const may = mayAdminister('integrations', useFacts());
  if (!may) return <ForOthers title={t('integrations.adminOnly')} text={t('integrations.adminOnlyText')} />;
  return (
    <>
      <PageHeader title={t(`integrations.${kind}.page`)} intro={t(`integrations.${kind}.intro`)} />
      <div className={styles.narrow}>{children}</div>
      {below}
    </>
  );
};
