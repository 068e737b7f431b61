import '../ui/all-styles.ts';
import { Button, Group } from '@mantine/core';
import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSwitchCompany } from '../app/switch-company.ts';
import { stayIn } from '../app/tab-company.ts';
import { useCompanyName, useMe, useToken } from '../app/who.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './elsewhere.module.css';
import type { Elsewhere as Props } from './use-elsewhere.ts';

/** What is meant is in another company of this person's: which one that is, and the way there. */
const Elsewhere = ({ tenantId, name, at, left }: Props) => {
  const { t } = useTranslation();
  const here = useCompanyName();
  const token = useToken();
  const { data: me } = useMe();
  const switchCompany = useSwitchCompany();
  const [settled, setSettled] = useState(false);
  const go = (): void => switchCompany({ tenantId, name }, at);
  if (!left)
    return (
      <Notice
        title={t('pages.elsewhere.row', { name })}
        text={t('pages.elsewhere.rowText', { here })}
        action={{ label: t('pages.elsewhere.go', { name }), onClick: go }}
      />
    );
  // Whoever is no member of it any more is led nowhere.
  if (settled || here === '' || !me?.memberships.some((one) => one.tenantId === tenantId && !one.suspended)) return null;
  return (
    <div role="alert" className={styles.elsewhere}>
      <IconBuildingWarehouse size={20} aria-hidden />
      <p>{t('pages.elsewhere.left', { name, here })}</p>
      <Group gap="xs">
        <Button size="sm" onClick={go}>
          {t('pages.elsewhere.back', { name })}
        </Button>
        <Button
          size="sm"
          variant="default"
          onClick={() => {
            stayIn(token);
            setSettled(true);
          }}
        >
          {t('pages.elsewhere.stay', { here })}
        </Button>
      </Group>
    </div>
  );
};
export default Elsewhere;
