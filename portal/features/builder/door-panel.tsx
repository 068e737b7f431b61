import { mayBuildAnywhere, mayUseOnLocker } from '@hatchway/domain/access.ts';
import { DOOR_HEIGHT, COLUMN_WIDTH, COMPARTMENT_MOST } from '@hatchway/domain/layout.ts';
import { REACHES, SERVICES, SIZES } from '@hatchway/domain/terms.ts';
import { Button, MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { DoorIcon } from '../../ui/wall/door-icon.tsx';
import { lookOf } from '../lockers/door-view.ts';
import { policiesQuery } from './api.ts';
import styles from './builder.module.css';
import type { Action } from './edit.ts';
import { ServiceButton } from './service-button.tsx';
import { isSize, SNAP, type SketchColumn, type SketchDoor } from './sketch.ts';
import type { Fault } from './use-editor.ts';

type Props = {
  doors: readonly SketchDoor[];
  lockers: ReadonlyMap<string, Locker>;
  faults: ReadonlyMap<string, Fault>;
  /** As they are saved, to tell which labels become wrong. */
  saved: ReadonlyMap<string, SketchDoor>;
  act: (action: Action) => void;
};

/** The value that all of them have, or none. */
const common = <T,>(doors: readonly SketchDoor[], of: (door: SketchDoor) => T): T | null => {
  const [first] = doors;
  return first !== undefined && doors.every((door) => String(of(door)) === String(of(first))) ? of(first) : null;
};

/** Of doors whose policies differ: no policy's name. */
const MIXED = ' ';

/** What can be said of the doors that are chosen; each field is a stroke that can be undone. */
export const DoorPanel = ({ doors, lockers, faults, saved, act }: Props) => {
  const { t } = useTranslation();
  const facts = useFacts();
  const policies = useQuery(policiesQuery(useApi()));
  const keys = doors.map((door) => door.key);
  const only = doors.length === 1 ? doors[0] : undefined;
  const describe = (fields: Extract<Action, { kind: 'describe' }>['fields']): void => act({ kind: 'describe', keys, fields });
  const live = doors.flatMap((door) => lockers.get(door.lockerId ?? '') ?? []);
  const controlled = live.filter((locker) => mayUseOnLocker('lock-control', locker.id, facts));
  const fault = only === undefined ? undefined : faults.get(only.key);
  const services = common(doors, (door) => [...door.services].sort().join());
  const policy = common(doors, (door) => door.policyRef ?? '');
  return (
    <Panel title={only === undefined ? t('builder.chosen', { count: doors.length }) : `${t('terms.locker')} ${only.doorTag}`}>
      <div className={styles.fields}>
        {live.length > 0 && (
          <p className={styles.quiet}>
            {[...new Set(live.map(lookOf))].map((look) => (
              <span key={look} style={{ marginInlineEnd: 12 }}>
                <DoorIcon look={look} /> {t(`terms.lockerState.${look}`)}
              </span>
            ))}
          </p>
        )}
        {only !== undefined && (
          <div className={styles.pair}>
            <Typed
              key={only.key}
              label={t('builder.tag')}
              value={only.doorTag}
              most={20}
              error={fault?.startsWith('tag') ? t(`builder.fault.${fault}`) : undefined}
              hint={saved.has(only.key) && saved.get(only.key)?.doorTag !== only.doorTag ? t('builder.tagChanges') : undefined}
              onChange={(doorTag) => describe({ doorTag: doorTag.toUpperCase() })}
            />
            <Counted
              key={`${only.key} lock`}
              label={t('builder.compartment')}
              value={only.compartment}
              range={{ least: 1, most: COMPARTMENT_MOST }}
              error={fault?.startsWith('compartment') ? t(`builder.fault.${fault}`) : undefined}
              onChange={(compartment) => describe({ compartment })}
            />
          </div>
        )}
        <div className={styles.pair}>
          <NativeSelect
            label={t('builder.size')}
            value={common(doors, (door) => door.size) ?? ''}
            onChange={(event) => isSize(event.currentTarget.value) && describe({ size: event.currentTarget.value })}
            data={[...(common(doors, (door) => door.size) === null ? [{ value: '', label: t('builder.mixed') }] : []), ...SIZES]}
          />
          <Counted
            key={`${keys.join()} height`}
            label={t('builder.height')}
            value={common(doors, (door) => door.height)}
            range={DOOR_HEIGHT}
            step={SNAP.height}
            onChange={(height) => act({ kind: 'height', keys, height })}
          />
        </div>
        <div className={styles.row}>
          {/* Its parts are new doors, which are nobody's yet. */}
          {only !== undefined && mayBuildAnywhere(facts) && (
            <>
              <Button size="sm" variant="default" onClick={() => act({ kind: 'split', key: only.key, parts: 2 })}>
                {t('builder.split')}
              </Button>
              <Button size="sm" variant="default" onClick={() => act({ kind: 'split', key: only.key, parts: 3 })}>
                {t('builder.splitThree')}
              </Button>
            </>
          )}
          {doors.length > 1 && (
            <Button size="sm" variant="default" onClick={() => act({ kind: 'merge', keys })}>
              {t('builder.merge')}
            </Button>
          )}
          <Button size="sm" variant="default" c="red" onClick={() => act({ kind: 'remove', keys })}>
            {t('builder.remove')}
          </Button>
        </div>
        {only !== undefined && (
          <Typed
            key={`${only.key} name`}
            label={t('builder.doorName')}
            value={only.name}
            most={100}
            onChange={(name) => describe({ name })}
          />
        )}
        <NativeSelect
          label={t('builder.reach')}
          value={common(doors, (door) => door.reach) ?? ''}
          onChange={(event) => {
            const reach = REACHES.find((one) => one === event.currentTarget.value);
            if (reach !== undefined) describe({ reach });
          }}
          data={[
            ...(common(doors, (door) => door.reach) === null ? [{ value: '', label: t('builder.mixed') }] : []),
            ...REACHES.map((reach) => ({ value: reach, label: t(`builder.reaches.${reach}`) })),
          ]}
        />
        <MultiSelect
          label={t('builder.services')}
          description={services === null ? t('builder.mixed') : t('builder.servicesHint')}
          value={services === null || services === '' ? [] : services.split(',')}
          onChange={(chosen) => describe({ services: SERVICES.filter((one) => chosen.includes(one)) })}
          data={SERVICES.filter((one) => one !== 'lock-control' && one !== 'storefront').map((one) => ({
            value: one,
            label: t(`terms.service.${one}`),
          }))}
          clearable
          hidePickedOptions
          // on a phone the panel is half a screen high, and would cut the list off
          comboboxProps={{ floatingStrategy: 'fixed' }}
        />
        <NativeSelect
          label={t('builder.policy')}
          value={policy ?? MIXED}
          onChange={(event) => describe({ policyRef: event.currentTarget.value === '' ? null : event.currentTarget.value })}
          data={[
            ...(policy === null ? [{ value: MIXED, label: t('builder.mixed'), disabled: true }] : []),
            { value: '', label: t('builder.noPolicy') },
            ...(policies.data ?? []).map((one) => ({ value: one.ref ?? one._id, label: one.name })),
          ]}
        />
        {controlled.length > 0 && <ServiceButton lockers={controlled} />}
      </div>
    </Panel>
  );
};

/** What is written in a field, which is a stroke when it is left or entered, not with each key. A value that comes otherwise takes its place. */
function useWritten<T>(value: T, onDone: (written: T) => void) {
  const [{ of, written }, setWritten] = useState({ of: value, written: value });
  const show = (one: T) => setWritten({ of: value, written: one });
  if (of !== value) show(value);
  const done = () => {
    if (written === value) return;
    // What becomes of it is shown as the door's own value: it may be another, or refused.
    show(value);
    onDone(written);
  };
  return { value: written, onChange: show, onBlur: done, onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && done() };
}

const Typed = ({
  label,
  value,
  most,
  error,
  hint,
  onChange,
}: {
  label: string;
  value: string;
  most: number;
  error?: string | undefined;
  hint?: string | undefined;
  onChange: (value: string) => void;
}) => {
  const written = useWritten(value, (word) => word.trim() !== value && onChange(word.trim()));
  return (
    <TextInput
      {...written}
      label={label}
      maxLength={most}
      error={error}
      errorProps={{ role: 'alert' }}
      description={hint}
      onChange={(event) => written.onChange(event.currentTarget.value)}
    />
  );
};

const Counted = ({
  label,
  value,
  range: { least, most },
  step = 1,
  error,
  onChange,
}: {
  label: string;
  /** None where several doors differ. */
  value: number | null;
  range: { least: number; most: number };
  step?: number;
  error?: string | undefined;
  onChange: (value: number) => void;
}) => {
  const { t } = useTranslation();
  const written = useWritten<number | string>(
    value ?? '',
    (number) => typeof number === 'number' && onChange(Math.round(Math.min(most, Math.max(least, number)))),
  );
  return (
    <NumberInput
      {...written}
      label={label}
      placeholder={value === null ? t('builder.mixed') : ''}
      min={least}
      max={most}
      step={step}
      clampBehavior="none"
      error={error}
    />
  );
};

/** A column as a whole. */
export const ColumnPanel = ({ column, number, act }: { column: SketchColumn; number: number; act: (action: Action) => void }) => {
  const { t } = useTranslation();
  return (
    <Panel title={t('builder.column', { number })}>
      <div className={styles.fields}>
        <Counted
          key={column.key}
          label={t('builder.width')}
          value={column.width}
          range={COLUMN_WIDTH}
          step={SNAP.width}
          onChange={(width) => act({ kind: 'width', key: column.key, width })}
        />
        <Button variant="default" c="red" onClick={() => act({ kind: 'remove-column', key: column.key })}>
          {t('builder.removeColumn')}
        </Button>
      </div>
    </Panel>
  );
};
