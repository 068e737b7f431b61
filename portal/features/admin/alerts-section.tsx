import { ALERT_EVENTS } from '@hatchway/domain/alerts.ts';
import { isEmail, mayBeNumber } from '@hatchway/domain/receiver.ts';
import { ActionIcon, Button, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './admin.module.css';
import { type Company, useCompany, useCompanyDraft } from './api.ts';
import { DraftForm } from './draft-form.tsx';
import { SectionHead } from './section-head.tsx';

type Alert = Company['settings']['alerts'][number];
const EVENTS = ['all', ...ALERT_EVENTS] as const;

const AlertsSection = () => {
  const { t } = useTranslation();
  const company = useCompany();
  return (
    <>
      <SectionHead title={t('admin.sections.alerts')} intro={t('admin.alertsIntro')} />
      {company.isError && <ProblemNote error={company.error} onRetry={() => void company.refetch()} />}
      {company.isPending && (
        <Panel title={t('admin.whom')}>
          <Bones lines={4} height={32} />
        </Panel>
      )}
      {company.data && <Alerts company={company.data} />}
    </>
  );
};
export default AlertsSection;

const fieldsOf = ({ settings }: Company) => ({
  alerts: settings.alerts,
  quiet: settings.quietHours !== null,
  from: settings.quietHours?.from ?? '22:00',
  to: settings.quietHours?.to ?? '07:00',
  doorOpenMinutes: settings.doorOpenMinutes as number | string,
  offlineMinutes: settings.offlineMinutes as number | string,
});

const minutesWrong = (value: number | string): boolean => !Number.isInteger(Number(value)) || Number(value) < 1 || Number(value) > 1440;

const Alerts = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const draft = useCompanyDraft(company, fieldsOf, (value) => ({
    settings: {
      alerts: value.alerts.map((alert) => ({ ...alert, to: alert.to.trim() })),
      quietHours: value.quiet ? { from: value.from, to: value.to } : null,
      doorOpenMinutes: Number(value.doorOpenMinutes),
      offlineMinutes: Number(value.offlineMinutes),
    },
  }));
  const { value, set } = draft;
  const [tried, setTried] = useState(false);
  const toWrong = ({ channel, to }: Alert): string | null => {
    if (to.trim() === '') return t(`admin.${channel === 'mail' ? 'emailNeeded' : 'tlfNeeded'}`);
    if (channel === 'mail') return isEmail(to.trim()) ? null : t('admin.emailWrong');
    return mayBeNumber(to) ? null : t('admin.tlfWrong');
  };
  const wrong =
    value.alerts.some((alert) => toWrong(alert) !== null) || minutesWrong(value.doorOpenMinutes) || minutesWrong(value.offlineMinutes);
  const change = (at: number, next: Partial<Alert>): void =>
    set({ alerts: value.alerts.map((alert, index) => (index === at ? { ...alert, ...next } : alert)) });
  const minutes = (name: 'doorOpenMinutes' | 'offlineMinutes') => ({
    label: t(`admin.${name}`),
    description: t(`admin.${name}Text`),
    value: value[name],
    onChange: (next: number | string) => set(name === 'doorOpenMinutes' ? { doorOpenMinutes: next } : { offlineMinutes: next }),
    error: tried && minutesWrong(value[name]) && t('admin.minutesWrong'),
    errorProps: { role: 'alert' },
    min: 1,
    max: 1440,
    clampBehavior: 'none' as const,
    allowDecimal: false,
    suffix: ` ${t('admin.minutes')}`,
    // The texts are of different lengths: the fields stand side by side above them.
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  });
  return (
    <DraftForm draft={draft} wrong={wrong} onTry={() => setTried(true)}>
      <Panel title={t('admin.whom')}>
        {value.alerts.length === 0 && <p className={styles.intro}>{t('admin.nobodyTold')}</p>}
        <ul className={styles.alerts}>
          {value.alerts.map((alert, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name, and only the last is added
            <li key={at} className={styles.alert}>
              <NativeSelect
                label={t('admin.event')}
                value={alert.event}
                onChange={(event) => {
                  const chosen = EVENTS.find((one) => one === event.currentTarget.value);
                  if (chosen) change(at, { event: chosen });
                }}
                data={EVENTS.map((event) => ({ value: event, label: t(`admin.events.${event}`) }))}
              />
              <NativeSelect
                label={t('admin.channel')}
                value={alert.channel}
                onChange={(event) => change(at, { channel: event.currentTarget.value === 'sms' ? 'sms' : 'mail' })}
                data={[
                  { value: 'mail', label: t('terms.channel.mail') },
                  { value: 'sms', label: t('terms.channel.sms') },
                ]}
              />
              <TextInput
                label={t('admin.to')}
                type={alert.channel === 'sms' ? 'tel' : 'email'}
                value={alert.to}
                onChange={(event) => change(at, { to: event.currentTarget.value })}
                error={tried && toWrong(alert)}
                errorProps={{ role: 'alert' }}
                maxLength={254}
                autoComplete="off"
              />
              <ActionIcon
                size={44}
                variant="subtle"
                color="red"
                aria-label={t('admin.removeAlert', { to: alert.to || String(at + 1) })}
                onClick={() => set({ alerts: value.alerts.filter((_, index) => index !== at) })}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <Button
          variant="default"
          mt="md"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={value.alerts.length >= 50}
          onClick={() => set({ alerts: [...value.alerts, { event: 'all', channel: 'mail', to: '' }] })}
        >
          {t('admin.addAlert')}
        </Button>
      </Panel>
      <Panel title={t('admin.when')}>
        <div className={styles.form}>
          <div className={styles.beside}>
            <NumberInput {...minutes('doorOpenMinutes')} />
            <NumberInput {...minutes('offlineMinutes')} />
          </div>
          <Switch
            size="md"
            label={t('admin.quiet')}
            description={t('admin.quietText', { zone: company.timeZone })}
            checked={value.quiet}
            onChange={(event) => set({ quiet: event.currentTarget.checked })}
          />
          {value.quiet && (
            <div className={styles.two}>
              <TextInput
                type="time"
                label={t('admin.from')}
                value={value.from}
                onChange={(event) => set({ from: event.currentTarget.value })}
              />
              <TextInput
                type="time"
                label={t('admin.until')}
                value={value.to}
                onChange={(event) => set({ to: event.currentTarget.value })}
              />
            </div>
          )}
        </div>
      </Panel>
    </DraftForm>
  );
};
