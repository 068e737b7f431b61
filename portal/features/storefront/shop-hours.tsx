import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoursField, isWhole, type Hours } from '../../ui/hours-field.tsx';
import styles from './storefront.module.css';

/** When the shop sells. No hours at all: at any time. */
export const ShopHours = ({ hours, busy, onSave }: { hours: Hours; busy: boolean; onSave: (hours: Hours) => void }) => {
  const { t } = useTranslation();
  const [spans, setSpans] = useState<Hours>(hours);
  const dirty = JSON.stringify(spans) !== JSON.stringify(hours);
  return (
    <>
      <HoursField
        title={t('storefront.hours')}
        text={t(spans.length === 0 ? 'storefront.hoursAlways' : 'storefront.hoursText')}
        hours={spans}
        onChange={setSpans}
      />
      {dirty && (
        <div className={styles.hoursSave}>
          <Button variant="default" loading={busy} disabled={!isWhole(spans)} onClick={() => onSave(spans)}>
            {t('storefront.hoursSave')}
          </Button>
          <Button variant="subtle" onClick={() => setSpans(hours)}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </>
  );
};
