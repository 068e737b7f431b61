import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { statsMessagesQuery } from '../../app/queries.ts';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { Bars, Keys } from './bars.tsx';

/** What a year's SMS weighed, month by month. For those who run the company. */
export const Sms = () => {
  const { t } = useTranslation();
  const sms = useQuery(statsMessagesQuery(useApi()));
  const words = [t('dashboard.smsOut'), t('dashboard.smsParts')] as const;
  const unsure = (sms.data ?? []).reduce((sum, month) => sum + month.unsure, 0);
  return (
    <Panel title={t('dashboard.sms')} aside={<Keys words={words} />}>
      <p className="hw-hint">{t('dashboard.smsWhy')}</p>
      <Waiting of={sms} lines={5} height={24} />
      {sms.data && (
        <Bars
          bars={sms.data.toReversed().map(({ month, messages, segments }) => ({
            key: month,
            mark: `${month.slice(5)}.${month.slice(2, 4)}`,
            name: `${month.slice(5)}.${month.slice(0, 4)}`,
            values: [messages, segments] as const,
          }))}
          words={words}
          caption={t('dashboard.smsText')}
          head={t('dashboard.month')}
          least={10}
        />
      )}
      {unsure > 0 && <p className="hw-hint">{t('dashboard.smsUnsure', { count: unsure })}</p>}
    </Panel>
  );
};
