import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import styles from './admin.module.css';
import { type Company, useCompany, useCompanyDraft } from './api.ts';
import { DraftForm } from './draft-form.tsx';

const SettingsSection = () => {
  const { t } = useTranslation();
  const company = useCompany();
  return (
    <Panel title={t('admin.sections.settings')}>
      <Waiting of={company} lines={3} height={32} />
      {company.data && <Settings company={company.data} />}
    </Panel>
  );
};
export default SettingsSection;

const fieldsOf = ({ settings }: Company) => ({ retentionDays: settings.retentionDays as number | string, senderName: settings.senderName });

const Settings = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const draft = useCompanyDraft(company, fieldsOf, (value) => ({
    settings: { retentionDays: Number(value.retentionDays), senderName: value.senderName.trim() },
  }));
  const { value, set } = draft;
  const [tried, setTried] = useState(false);
  const days = Number(value.retentionDays);
  const wrong = {
    days: Number.isInteger(days) && days >= 1 && days <= 3650 ? null : t('admin.daysWrong'),
    sender: /^[A-Za-z0-9 ]{0,11}$/.test(value.senderName.trim()) ? null : t('admin.senderWrong'),
  };
  return (
    <DraftForm draft={draft} wrong={Boolean(wrong.days ?? wrong.sender)} onTry={() => setTried(true)}>
      <NumberInput
        className={styles.narrow ?? ''}
        label={t('admin.retention')}
        description={t('admin.retentionText')}
        value={value.retentionDays}
        onChange={(retentionDays) => set({ retentionDays })}
        error={tried && wrong.days}
        errorProps={{ role: 'alert' }}
        min={1}
        max={3650}
        clampBehavior="none"
        allowDecimal={false}
        suffix={` ${t('admin.days')}`}
      />
      <TextInput
        className={styles.narrow ?? ''}
        label={t('admin.sender')}
        description={t('admin.senderText')}
        placeholder="Hatchway"
        value={value.senderName}
        onChange={(event) => set({ senderName: event.currentTarget.value })}
        error={tried && wrong.sender}
        errorProps={{ role: 'alert' }}
        maxLength={20}
      />
    </DraftForm>
  );
};
