import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { nothingScanned, scanKey } from '../../app/scans.ts';
import { tone } from '../../app/sound.ts';
import { useCountryName } from '../../app/who.ts';
import { receiversQuery, type KnownReceiver } from './api.ts';
import type { Draft, Field } from './draft.ts';
import styles from './service.module.css';

type Fields = Draft['receiver'];
type Props = {
  value: Fields;
  /** Others than a person's are somebody else's to show. */ wrong: readonly Field[];
  onChange: (value: Fields) => void;
  focusFirst?: boolean;
};

const labelOf = (known: KnownReceiver): string => [known.name, known.tlf, known.email].filter(Boolean).join(' · ');

/** Name, mobile number, e-mail: each searches those known already, and picking one fills all three. */
export const ReceiverFields = ({ value, wrong, onChange, focusFirst = true }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 160);
  const known = useQuery(receiversQuery(api, asked));
  const found = asked.trim().length < 2 ? [] : (known.data ?? []);
  const byLabel = new Map(found.map((one) => [labelOf(one), one]));

  // A parcel's code is nobody's name or number: what a scanner types here is taken out again, and said.
  const burst = useRef({ state: nothingScanned, before: '' });
  const [scanned, setScanned] = useState<string | null>(null);
  const [filled, setFilled] = useState('');
  const fill = (one: KnownReceiver) => {
    setSearch('');
    setFilled(labelOf(one));
    onChange({ name: one.name, tlf: one.tlf ?? '', email: one.email ?? '' });
  };
  const hear = (name: keyof Fields) => (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { state, scan } = scanKey(burst.current.state, event.key, event.timeStamp);
    burst.current = { state, before: state.text.length === 1 ? event.currentTarget.value : burst.current.before };
    // What is typed is what is meant: who is suggested is taken by whoever walks to them, or presses them.
    if (scan === null) return;
    event.preventDefault();
    event.stopPropagation();
    tone('bad');
    setSearch('');
    setScanned(scan);
    onChange({ ...value, [name]: burst.current.before });
  };

  const field = (name: keyof Fields, first: boolean) => {
    const bad = wrong.includes(name) || (name !== 'name' && wrong.includes('contact'));
    return (
      <Autocomplete
        key={name}
        label={t(`occupations.receiver.${name}`)}
        placeholder={t(`occupations.receiver.${name}Placeholder`)}
        size="md"
        required={name === 'name'}
        withAsterisk={false}
        type={name === 'email' ? 'email' : name === 'tlf' ? 'tel' : 'text'}
        inputMode={name === 'email' ? 'email' : name === 'tlf' ? 'tel' : 'text'}
        autoComplete="off"
        maxLength={name === 'tlf' ? 30 : name === 'email' ? 254 : 120}
        data={[...byLabel.keys()]}
        filter={({ options }) => options}
        // Who is suggested depends on what is typed: an empty list that stood open would take the first Escape for its own.
        openOnFocus={false}
        value={value[name]}
        onKeyDownCapture={hear(name)}
        onChange={(text) => {
          setScanned(null);
          setFilled('');
          const one = byLabel.get(text);
          if (one !== undefined) return fill(one);
          setSearch(text);
          onChange({ ...value, [name]: text });
          return undefined;
        }}
        onFocus={() => setSearch('')}
        data-step-focus={(first && focusFirst) || undefined}
        error={bad ? t(`occupations.receiver.wrong.${wrong.includes(name) ? name : 'contact'}`) : undefined}
      />
    );
  };

  return (
    <div className={styles.narrow}>
      {field('name', true)}
      <div className={styles.pair}>
        {field('tlf', false)}
        {field('email', false)}
      </div>
      {scanned !== null && (
        <p className={styles.quiet} role="alert">
          {t('occupations.receiver.scanned', { code: scanned })}
        </p>
      )}
      <p className={styles.quiet}>{`${t('occupations.receiver.hint')} ${t('common.numbersOf', { country: useCountryName() })}`}</p>
      <output className={filled === '' ? styles.hidden : styles.quiet}>
        {filled === '' ? '' : t('occupations.receiver.filled', { who: filled })}
      </output>
    </div>
  );
};
