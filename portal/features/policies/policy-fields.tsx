import { SERVICES } from '@hatchway/domain/terms.ts';
import { ActionIcon, Button, Checkbox, MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CURRENCIES } from '../../app/money.ts';
import { span } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { useToken } from '../../app/who.ts';
import { groupsQuery, useWallTags } from '../permissions/api.ts';
import { LockerPicker } from '../permissions/locker-picker.tsx';
import { HOUSE, LIMIT_NAMES, LIMITS, refOf, type Draft } from './draft.ts';
import styles from './policies.module.css';

type Props = { value: Draft; isNew: boolean; wrong: Partial<Record<string, string>>; onChange: (change: Partial<Draft>) => void };

export const PolicyFields = (props: Props) => {
  const { t } = useTranslation();
  const { value, isNew, wrong, onChange } = props;
  const company = useToken().tenant?.tenant_name ?? '';
  // References are one numbering for all companies: with the company's name in front they seldom meet.
  const suggested = (name: string): string => (refOf(name) === '' ? '' : refOf(`${company} ${name}`));
  return (
    <>
      <TextInput
        label={t('policies.name')}
        placeholder={t('policies.namePlaceholder')}
        value={value.name}
        maxLength={100}
        error={wrong.name}
        errorProps={{ role: 'alert' }}
        onChange={({ currentTarget }) =>
          onChange({
            name: currentTarget.value,
            ...(isNew && value.ref === suggested(value.name) ? { ref: suggested(currentTarget.value) } : {}),
          })
        }
        data-autofocus
      />
      <TextInput
        label={t('policies.ref')}
        description={t('policies.refText')}
        value={value.ref}
        maxLength={60}
        error={wrong.ref}
        errorProps={{ role: 'alert' }}
        onChange={({ currentTarget }) => onChange({ ref: currentTarget.value })}
      />
      <Holds {...props} />
      <Limits {...props} />
      <Reminders {...props} />
      <fieldset className={styles.part}>
        <legend>{t('policies.price')}</legend>
        <p className="hw-hint">{t('policies.priceText')}</p>
        <div className={styles.pair}>
          <TextInput
            label={t('policies.amount')}
            value={value.price}
            inputMode="decimal"
            placeholder={t('policies.free')}
            error={wrong.price}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
          />
          <NativeSelect
            label={t('policies.currency')}
            value={value.currency}
            // Another one came with the API, and stays until somebody chooses.
            data={[...new Set([...CURRENCIES, value.currency])]}
            onChange={({ currentTarget }) => onChange({ currency: currentTarget.value })}
          />
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('policies.care')}</legend>
        <Switch
          label={t('policies.inspectReturns')}
          description={t('policies.inspectReturnsText')}
          checked={value.inspectReturns}
          onChange={({ currentTarget }) => onChange({ inspectReturns: currentTarget.checked })}
        />
        <Switch
          label={t('policies.staffConfirmsClaim')}
          description={t('policies.staffConfirmsClaimText')}
          checked={value.staffConfirmsClaim}
          onChange={({ currentTarget }) => onChange({ staffConfirmsClaim: currentTarget.checked })}
        />
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('policies.signIn')}</legend>
        <p className="hw-hint">{t('policies.signInText')}</p>
        <TextInput
          label={t('policies.loginHint')}
          description={t('policies.loginHintText')}
          value={value.loginHint}
          maxLength={200}
          onChange={({ currentTarget }) => onChange({ loginHint: currentTarget.value })}
        />
        <TextInput
          label={t('policies.idpHint')}
          description={t('policies.idpHintText')}
          value={value.idpHint}
          maxLength={200}
          onChange={({ currentTarget }) => onChange({ idpHint: currentTarget.value })}
        />
      </fieldset>
    </>
  );
};

/** What has rules of its own: goods in a shop have those of their sale, and lock control has none. */
const SERVED = SERVICES.filter((service) => service !== 'storefront' && service !== 'lock-control');

/** Which services, people and lockers it is for: nothing chosen means all of them. */
const Holds = ({ value, onChange }: Props) => {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery(useApi()));
  const { walls } = useWallTags();
  return (
    <fieldset className={styles.part}>
      <legend>{t('policies.holds')}</legend>
      <p className="hw-hint">{t('policies.holdsText')}</p>
      <div className={styles.checks}>
        {SERVED.map((service) => (
          <Checkbox
            key={service}
            label={t(`terms.service.${service}`)}
            checked={value.services.includes(service)}
            onChange={({ currentTarget }) =>
              onChange({ services: currentTarget.checked ? [...value.services, service] : value.services.filter((one) => one !== service) })
            }
          />
        ))}
      </div>
      <MultiSelect
        label={t('policies.groups')}
        placeholder={value.groupIds.length === 0 ? t('policies.everybody') : ''}
        data={(groups.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={[...value.groupIds]}
        onChange={(groupIds) => onChange({ groupIds })}
        searchable
        nothingFoundMessage={t('table.noMatch')}
      />
      <details className={styles.lockers}>
        <summary>
          {value.lockerIds.length === 0 ? t('policies.everyLocker') : t('policies.someLockers', { count: value.lockerIds.length })}
        </summary>
        <LockerPicker walls={walls} value={value.lockerIds} onChange={(lockerIds) => onChange({ lockerIds })} />
      </details>
    </fieldset>
  );
};

const Limits = ({ value, wrong, onChange }: Props) => {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.part}>
      <legend>{t('policies.limits')}</legend>
      {LIMIT_NAMES.map((limit) => {
        const typed = value.limits[limit];
        const { least, most, unit } = LIMITS[limit];
        const house = HOUSE[limit];
        const shown = typed === '' ? house : typed;
        return (
          <NumberInput
            key={limit}
            label={t(`policies.limit.${limit}`)}
            description={t(`policies.limitText.${limit}`)}
            value={typed}
            placeholder={house === null ? t('policies.noLimit') : String(house)}
            min={least}
            max={most}
            clampBehavior="none"
            allowDecimal={false}
            hideControls
            error={wrong[limit]}
            errorProps={{ role: 'alert' }}
            rightSection={unit !== null && shown !== null ? <span className={styles.unit}>{span(shown * unit)}</span> : null}
            rightSectionWidth={84}
            onChange={(next) => onChange({ limits: { ...value.limits, [limit]: typeof next === 'number' ? next : '' } })}
          />
        );
      })}
    </fieldset>
  );
};

/** Hours before or after the deadline, one a line: how many, and on which side of it. */
const Reminders = ({ value, onChange }: Props) => {
  const { t } = useTranslation();
  const list = value.reminders ?? HOUSE.reminders;
  const set = (reminders: readonly number[]): void => onChange({ reminders });
  return (
    <fieldset className={styles.part}>
      <legend>{t('policies.reminders')}</legend>
      <p className="hw-hint">{value.reminders === null ? t('policies.remindersHouse') : t('policies.remindersText')}</p>
      {list.length === 0 && <p>{t('policies.noReminders')}</p>}
      {list.map((hours, at) => (
        <div key={at} className={styles.reminder}>
          <NumberInput
            aria-label={t('policies.reminderHours', { number: at + 1 })}
            value={Math.abs(hours)}
            min={0}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            rightSection={<span className={styles.unit}>{span(Math.abs(hours) * 3_600_000)}</span>}
            rightSectionWidth={72}
            onChange={(next) => set(list.with(at, (typeof next === 'number' ? next : 0) * (hours < 0 ? -1 : 1)))}
          />
          <NativeSelect
            aria-label={t('policies.reminderSide', { number: at + 1 })}
            value={hours < 0 ? 'before' : 'after'}
            data={[
              { value: 'before', label: t('policies.before') },
              { value: 'after', label: t('policies.after') },
            ]}
            onChange={({ currentTarget }) => {
              // Zero hours before is zero hours after: the smallest step shows the side that was chosen.
              const size = Math.abs(hours) || (currentTarget.value === 'before' ? 1 : 0);
              set(list.with(at, currentTarget.value === 'before' ? -size : size));
            }}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="xl"
            aria-label={t('policies.removeReminder', { number: at + 1 })}
            onClick={() => set(list.toSpliced(at, 1))}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div className={styles.row}>
        {list.length < 10 && (
          <Button variant="default" size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => set([...list, -1])}>
            {t('policies.addReminder')}
          </Button>
        )}
        {value.reminders !== null && (
          <Button variant="subtle" size="sm" onClick={() => onChange({ reminders: null })}>
            {t('policies.houseReminders')}
          </Button>
        )}
      </div>
    </fieldset>
  );
};
