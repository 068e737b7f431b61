import { Anchor, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, LANGUAGES, languageOf } from '../../app/language.ts';
import { usePortal } from '../../app/portal.ts';
import { setPreference, usePreference } from '../../app/preferences.ts';
import { toast } from '../../app/toasts.ts';
import { switchLanguage } from '../../i18n/setup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './account.module.css';
import { ScannerTrial } from './scanner-trial.tsx';

export const Settings = () => {
  const { t, i18n } = useTranslation();
  const { api, applyChange } = usePortal();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const speak = (language: Language): void => {
    void switchLanguage(language);
    // Messages and the sign-in page follow the account's language; the screen does not wait for it.
    api('PUT /accounts/me', { body: { locale: language } })
      .then((account) => applyChange({ noun: 'accounts', method: 'PUT', data: account }))
      .catch(toast.fail);
  };
  return (
    <>
      <PageHeader title={t('account.settings.title')} intro={t('account.settings.intro')} />
      <div className={styles.stack}>
        <Panel title={t('account.settings.look')} flush>
          <Choice name="language" value={languageOf(i18n.language)} of={LANGUAGES} onChange={speak} />
          <Choice name="theme" value={colorScheme} of={['auto', 'light', 'dark']} onChange={setColorScheme} />
          <Choice
            name="density"
            value={usePreference('table-density')}
            of={['comfortable', 'compact']}
            onChange={(value) => setPreference('table-density', value)}
          />
          <OnOff name="sounds" />
          <OnOff name="notifications" />
        </Panel>
        <ScannerTrial />
        <Panel title={t('account.settings.shortcuts')} flush>
          <Row title={t('account.settings.shortcutPalette')}>
            {() => (
              <span>
                <kbd>/</kbd> <kbd>Ctrl K</kbd> <kbd>⌘ K</kbd>
              </span>
            )}
          </Row>
        </Panel>
        <Panel title={t('account.settings.advanced')}>
          <Anchor renderRoot={(props) => <Link {...props} to="/token" />}>{t('account.settings.tokenLink')}</Anchor>
        </Panel>
      </div>
    </>
  );
};

type Word = Language | 'auto' | 'light' | 'dark' | 'comfortable' | 'compact';
type ChoiceProps<V> = { name: 'language' | 'theme' | 'density'; value: V; of: readonly V[]; onChange: (value: V) => void };
const Choice = <V extends Word>({ name, value, of, onChange }: ChoiceProps<V>) => {
  const { t } = useTranslation();
  const wordOf = (one: Word): string => t(`account.settings.${one}`);
  return (
    <Row title={t(`account.settings.${name}`)} text={t(`account.settings.${name}Text`)}>
      {(id) => (
        <SegmentedControl
          aria-labelledby={id}
          value={value}
          onChange={onChange}
          data={of.map((one) => ({ value: one, label: wordOf(one) }))}
        />
      )}
    </Row>
  );
};

const OnOff = ({ name }: { name: 'sounds' | 'notifications' }) => {
  const { t } = useTranslation();
  const value = usePreference(name);
  return (
    <Row title={t(`account.settings.${name}`)} text={t(`account.settings.${name}Text`)}>
      {(id) => (
        <Switch
          size="md"
          aria-labelledby={id}
          checked={value === 'on'}
          onChange={(event) => setPreference(name, event.currentTarget.checked ? 'on' : 'off')}
        />
      )}
    </Row>
  );
};

const Row = ({ title, text, children }: { title: string; text?: string; children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className={styles.row}>
      <div>
        <h3 id={id}>{title}</h3>
        {text && <p>{text}</p>}
      </div>
      {children(id)}
    </div>
  );
};
