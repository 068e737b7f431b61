import { scannedText } from '@hatchway/domain/scanned.ts';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { foundQuery } from './api.ts';
import { CalledOffBadge } from './called-off.tsx';
import { ContactBadge } from './contact-badge.tsx';
import { DoubtBadge } from './doubt-note.tsx';
import { LookOverBadge } from './look-over.tsx';
import styles from './manage.module.css';
import { NothingFound } from './nothing-found.tsx';
import { OneOccupation } from './one-occupation.tsx';
import { useScanner } from './scanner.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What was typed or scanned to find one occupation. */
    find?: string;
  }
}

type Place = { id?: string; find?: string };

/**
 * Find one occupation by whatever one has at hand, then do with it whatever is allowed now. The address keeps what was found; what it was
 * found by is often the code or the link that opens the door, so only the browser's own history keeps it, for the ways back and forward.
 */
// Types written out: the route tree needs them, and they need its addresses.
export const ManageOccupation = (): ReactNode => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id }: { id?: string } = useSearch({ strict: false });
  const find = useLocation({ select: ({ state }) => state.find ?? '' });
  // What stands in the field until something else is looked for.
  const [typed, setTyped] = useState({ find, text: find });
  const text = typed.find === find ? typed.text : find;

  const go = (to: Place, replace = false) =>
    void navigate({
      to: '/services/manageoccupation',
      search: to.id === undefined ? {} : { id: to.id },
      state: to.find ? { find: to.find } : {},
      replace,
    });
  const seek = (wanted: string) => {
    const trimmed = scannedText(wanted).text;
    if (trimmed !== '') go({ find: trimmed });
  };
  useScanner(seek);
  // Who comes to it types or scans at once; a finger would get a keyboard over the screen that it did not ask for.
  const field = useRef<HTMLInputElement>(null);
  const begins = id === undefined && find === '';
  useEffect(() => {
    if (begins && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [begins]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    seek(text);
    // What is scanned or typed next takes its place: a scanner deletes nothing first.
    field.current?.select();
  };
  return (
    <>
      <PageHeader title={t('occupations.manage.title')} intro={t('occupations.manage.intro')} />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> is not announced by every reader yet */}
      <form className={styles.find} onSubmit={submit} role="search">
        <TextInput
          ref={field}
          label={t('occupations.manage.field')}
          placeholder={t('occupations.manage.placeholder')}
          size="md"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={text}
          onChange={(event) => setTyped({ find, text: event.currentTarget.value })}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={200}
          autoComplete="off"
        />
        <Button type="submit" size="md">
          {t('occupations.manage.find')}
        </Button>
      </form>
      {id !== undefined ? (
        <OneOccupation key={id} id={id} onClear={() => go({})} />
      ) : find === '' ? (
        <Notice level={2} title={t('occupations.manage.start')} text={t('occupations.manage.startText')} />
      ) : (
        <Found find={find} onPick={(picked, replace) => go({ find, id: picked }, replace)} />
      )}
    </>
  );
};

const Found = ({ find, onPick }: { find: string; onPick: (id: string, replace: boolean) => void }): ReactNode => {
  const { t } = useTranslation();
  const api = useApi();
  const found = useQuery(foundQuery(api, find));
  const only = found.data?.length === 1 ? found.data[0]?.id : undefined;
  // A scan goes straight to its place; the search is not one to come back to.
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    if (only !== undefined) pick(only, true);
  }, [only]);
  if (found.isPending) return <Bones lines={4} height={40} />;
  if (found.isError) return <ProblemNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data.length === 0) return <NothingFound find={find} />;
  return (
    <>
      <output>{t('occupations.manage.found', { count: found.data.length })}</output>
      <ul className={styles.found}>
        {found.data.map((one) => (
          <li key={one.id}>
            <button type="button" className={styles.hit} onClick={() => onPick(one.id, false)}>
              <b>{one.doorTag}</b>
              <span>
                {one.receiver?.name ?? t(`terms.type.${one.type}`)} <span>{one.assetText ?? one.assetName ?? one.orderRef ?? ''}</span>
              </span>
              <span>
                <UseBadge one={one} /> <DoubtBadge one={one} /> <CalledOffBadge one={one} /> <ContactBadge one={one} />{' '}
                <LookOverBadge one={one} /> {one.overdue && <OverdueBadge />}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};
