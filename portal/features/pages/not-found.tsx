import { Button, TextInput } from '@mantine/core';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import styles from './not-found.module.css';

/** Says that there is no such screen; whoever came by an address that leads nowhere reads it here, and corrects it. */
export const NotFound = () => {
  const { t } = useTranslation();
  const typed = useLocation({ select: ({ state }) => state.typed });
  return (
    <Notice title={t('pages.notFound.title')} text={t('pages.notFound.text')}>
      {typed !== undefined && <Correct key={typed} typed={typed} />}
      <Button component={Link} to="/" variant={typed === undefined ? 'filled' : 'default'}>
        {t('pages.notFound.home')}
      </Button>
    </Notice>
  );
};

const Correct = ({ typed }: { typed: string }) => {
  const { t } = useTranslation();
  const { history } = useRouter();
  const [meant, setMeant] = useState(typed);
  const go = (event: FormEvent): void => {
    event.preventDefault();
    // Below the portal's own address, whatever is written: it leads to no other site.
    history.push(`/portal/${meant.trim().replace(/^[/\\]+/, '')}`);
  };
  return (
    <form onSubmit={go} className={styles.correct}>
      <TextInput
        label={t('pages.notFound.typed')}
        className={styles.field ?? ''}
        value={meant}
        spellCheck={false}
        autoCapitalize="off"
        onChange={({ currentTarget }) => setMeant(currentTarget.value)}
      />
      <Button type="submit">{t('pages.notFound.go')}</Button>
    </form>
  );
};
