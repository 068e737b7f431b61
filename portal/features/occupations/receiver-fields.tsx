import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { nothingScanned, scanKey } from '../../app/scans.ts';
import { tone } from '../../app/sound.ts';
import { useCountryName } from '../../app/who.ts';
import { receiversQuery, type KnownReceiver } from './api.ts';
import type { Draft, Field } from './draft.ts';
import styles from './service.module.css';

type Fields = Draft['receiver'];
const FIELDS = ['name', 'tlf', 'email'] as const;
type Props = {
  value: Fields;
  /** Others than a person's are somebody else's to show. */ wrong: readonly Field[];
  onChange: (value: Fields) => void;
  focusFirst?: boolean;
};

/** Only one that is the whole answer: beside what was written into another field, somebody else may be meant. */
const isAlone = (value: Fields, name: keyof Fields): boolean =>
  value[name].trim().length >= 2 && FIELDS.every((other) => other === name || value[other].trim() === '');

/** Several words are a whole name: nobody but who bears it is meant, whoever else they may begin. */
const mayBe = (one: KnownReceiver, name: keyof Fields, typed: string): boolean =>
  name !== 'name' || !/\s/.test(typed.trim()) || one.name.toLowerCase() === typed.trim().toLowerCase();

const labelOf = (known: KnownReceiver): string => [known.name, known.tlf, known.email].filter(Boolean).join(' · ');

/** Name, mobile number, e-mail: each searches those known already, and picking one fills all three. */
export const ReceiverFields = ({ value, wrong, onChange, focusFirst = true }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 160);
  const known = useQuery(receiversQuery(api, asked));
  const found = asked.trim().length < 2 ? [] : (known.data ?? []);
  const byLabel = new Map(found.map((one) => [labelOf(one), one]));

  // A parcel's code is nobody's name or number: what a scanner types here is taken out again, and said.
  const burst = useRef({ state: nothingScanned, before: '' });
  const [scanned, setScanned] = useState<string | null>(null);
  const [filled, setFilled] = useState('');
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  const fill = (one: KnownReceiver) => {
    setSearch('');
    setFilled(labelOf(one));
    onChange({ name: one.name, tlf: one.tlf ?? '', email: one.email ?? '' });
  };
  /** Who is the only one known by it is taken, and read by whoever typed it before the next Enter goes on; else the form says what it lacks. */
  const enter = async (name: keyof Fields, form: HTMLFormElement | null) => {
    const typed = value[name];
    const [one, ...more] = await queryClient.fetchQuery(receiversQuery(api, typed)).catch(() => []);
    // Written on meanwhile, it is another question.
    if (latest.current[name] !== typed || !isAlone(latest.current, name)) return;
    const reachable = one !== undefined && (one.tlf !== null || one.email !== null);
    if (reachable && more.length === 0 && mayBe(one, name, typed)) fill(one);
    else form?.requestSubmit();
  };
  const hear = (name: keyof Fields) => (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { state, scan } = scanKey(burst.current.state, event.key, event.timeStamp);
    burst.current = { state, before: state.text.length === 1 ? event.currentTarget.value : burst.current.before };
    if (scan === null) {
      // One that is walked to in the list is the list's own to take.
      const walked = event.currentTarget.hasAttribute('aria-activedescendant');
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || walked || !isAlone(value, name)) return;
      event.preventDefault();
      event.stopPropagation();
      void enter(name, event.currentTarget.form);
      return;
    }
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
      <output className={styles.hidden}>{filled === '' ? '' : t('occupations.receiver.filled', { who: filled })}</output>
    </div>
  );
};
