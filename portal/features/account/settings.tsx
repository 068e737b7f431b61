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
  const density = usePreference('table-density');
  const sounds = usePreference('sounds');
  const notifications = usePreference('notifications');
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
          <Row title={t('account.settings.language')} text={t('account.settings.languageText')}>
            {(id) => (
              <SegmentedControl
                aria-labelledby={id}
                value={languageOf(i18n.language)}
                onChange={(value) => speak(value)}
                data={LANGUAGES.map((value) => ({ value, label: t(`account.settings.${value}`) }))}
              />
            )}
          </Row>
          <Row title={t('account.settings.theme')} text={t('account.settings.themeText')}>
            {(id) => (
              <SegmentedControl
                aria-labelledby={id}
                value={colorScheme}
                onChange={(value) => setColorScheme(value)}
                data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`account.settings.${value}`) }))}
              />
            )}
          </Row>
          <Row title={t('account.settings.density')} text={t('account.settings.densityText')}>
            {(id) => (
              <SegmentedControl
                aria-labelledby={id}
                value={density}
                onChange={(value) => setPreference('table-density', value)}
                data={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`account.settings.${value}`) }))}
              />
            )}
          </Row>
          <Row title={t('account.settings.sounds')} text={t('account.settings.soundsText')}>
            {(id) => (
              <Switch
                size="md"
                aria-labelledby={id}
                checked={sounds === 'on'}
                onChange={(event) => setPreference('sounds', event.currentTarget.checked ? 'on' : 'off')}
              />
            )}
          </Row>
          <Row title={t('account.settings.notifications')} text={t('account.settings.notificationsText')}>
            {(id) => (
              <Switch
                size="md"
                aria-labelledby={id}
                checked={notifications === 'on'}
                onChange={(event) => setPreference('notifications', event.currentTarget.checked ? 'on' : 'off')}
              />
            )}
          </Row>
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
