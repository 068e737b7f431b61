import { LINK_USES_MOST } from '@hatchway/domain/access-link.ts';
import { Button, Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MomentField } from '../../ui/date-fields.tsx';
import type { AccessLink } from './api.ts';
import styles from './links.module.css';

export type Limits = { name: string; validFrom: string; validTo: string; maxUses: number };
export type Wrong = Partial<Record<keyof Limits, string>>;
type Props<T extends Limits> = { value: T; wrong: Wrong; onChange: (value: T) => void };

const HOUR = 3600_000;
const SPANS = [1, 24, 24 * 7] as const;

export const LinkName = <T extends Limits>({ value, wrong, onChange }: Props<T>) => {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('links.name')}
      description={t('links.nameText')}
      placeholder={t('links.namePlaceholder')}
      value={value.name}
      error={wrong.name}
      errorProps={{ role: 'alert' }}
      maxLength={100}
      data-autofocus
      onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
    />
  );
};

type PurposeProps = {
  value: AccessLink['purpose'];
  /** Those that whoever makes it may hand on. */
  offered: readonly AccessLink['purpose'][];
  onChange: (purpose: AccessLink['purpose']) => void;
};
export const LinkPurpose = ({ value, offered, onChange }: PurposeProps) => {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('links.purpose')}
      value={value}
      onChange={(next) => {
        const purpose = offered.find((one) => one === next);
        if (purpose !== undefined) onChange(purpose);
      }}
    >
      <Stack gap="xs" mt={4}>
        {offered.map((purpose) => (
          <Radio key={purpose} value={purpose} label={t(`links.purposes.${purpose}`)} description={t(`links.purposeTexts.${purpose}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
};

/** From when, until when, how often; the same when a link is made and when it is changed. */
export const LinkLimits = <T extends Limits>({ value, wrong, onChange }: Props<T>) => {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.times}>
        <MomentField
          label={t('links.validFrom')}
          value={value.validFrom}
          error={wrong.validFrom}
          onChange={(validFrom) => onChange({ ...value, validFrom })}
        />
        <MomentField
          label={t('links.validTo')}
          value={value.validTo}
          error={wrong.validTo}
          onChange={(validTo) => onChange({ ...value, validTo })}
        />
      </div>
      <Group gap="xs">
        {SPANS.map((hours) => (
          <Button
            key={hours}
            size="compact-sm"
            variant="default"
            onClick={() => onChange({ ...value, validTo: new Date(Date.parse(value.validFrom) + hours * HOUR).toISOString() })}
          >
            {hours < 24 ? t('links.spanHours', { count: hours }) : t('links.spanDays', { count: hours / 24 })}
          </Button>
        ))}
      </Group>
      <NumberInput
        label={t('links.maxUses')}
        description={t('links.maxUsesText')}
        value={value.maxUses}
        error={wrong.maxUses}
        errorProps={{ role: 'alert' }}
        min={1}
        max={LINK_USES_MOST}
        allowDecimal={false}
        clampBehavior="strict"
        className={styles.count ?? ''}
        onChange={(next) => onChange({ ...value, maxUses: Number(next) || 1 })}
      />
    </>
  );
};
