import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMenu2, IconMoon, IconScan, IconSun, IconX } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../app/portal.ts';
import { useAccess, useCompanyName, useLogo } from '../app/who.ts';
import { BytesImage } from '../ui/bytes-image.tsx';
import { Mark } from '../ui/notice.tsx';
import { Connection } from './connection.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import styles from './top-bar.module.css';

export const TopBar = ({ onPalette }: { onPalette: () => void }) => {
  const { t } = useTranslation();
  const company = useCompanyName();
  const logo = useLogo();
  const { sandbox } = usePortal().config;
  const { pathname } = useLocation();
  // Open on the screen where it was opened: a navigation closes it.
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const menu = menuAt === pathname;
  const burger = useRef<HTMLButtonElement>(null);
  const opened = useRef<HTMLElement>(null);
  /** Whatever else of the bar is turned to opens over a closed menu. */
  const turn = ({ target }: SyntheticEvent): void => {
    if (menu && target instanceof Node && !burger.current?.contains(target) && !opened.current?.contains(target)) setMenuAt(null);
  };
  return (
    <header className={styles.bar}>
      <div
        role="presentation"
        onPointerDown={turn}
        onFocus={turn}
        onKeyDown={({ key }) => {
          if (key !== 'Escape' || !menu) return;
          setMenuAt(null);
          burger.current?.focus();
        }}
      >
        <div className={styles.inner}>
          <Link to="/" className={styles.brand} activeOptions={EXACT} activeProps={NOTHING}>
            <Mark size={28} />
            <span className={styles.name}>{t('common.product')}</span>
            {company && (
              <span className={styles.company}>
                {/* its name stands beside it */}
                {logo && <BytesImage bytes={logo} alt="" />}
                <span>{company}</span>
              </span>
            )}
          </Link>
          <nav className={styles.links} aria-label={t('frame.mainNavigation')}>
            <Links />
          </nav>
          <div className={styles.tools}>
            {sandbox !== undefined && (
              <a href={sandbox} target="_blank" rel="noreferrer" className={styles.sandbox}>
                {t('frame.sandbox')}
              </a>
            )}
            <button
              type="button"
              className={styles.search}
              onClick={onPalette}
              aria-label={t('frame.palette.open')}
              title={t('frame.palette.open')}
              aria-keyshortcuts="Control+K Meta+K /"
            >
              <IconScan size={18} aria-hidden />
              <span>{t('frame.palette.open')}</span>
              <kbd aria-hidden>/</kbd>
            </button>
            <Connection />
            <ThemeToggle />
            <ProfileMenu />
            <button
              ref={burger}
              type="button"
              className={`${styles.tool} ${styles.burger}`}
              onClick={() => setMenuAt(menu ? null : pathname)}
              aria-label={t(menu ? 'frame.closeMenu' : 'frame.menu')}
              aria-expanded={menu}
              aria-controls="mobile-menu"
            >
              {menu ? <IconX size={20} aria-hidden /> : <IconMenu2 size={20} aria-hidden />}
            </button>
          </div>
        </div>
        <nav ref={opened} id="mobile-menu" className={styles.mobile} hidden={!menu} aria-label={t('frame.menu')}>
          <Links />
        </nav>
      </div>
    </header>
  );
};

/** The same links in the bar and in the mobile menu. A screen that is in none of them, such as a service, marks none. */
const Links = () => {
  const { t } = useTranslation();
  const { manage, history, admin } = useAccess();
  return (
    <>
      <Place to="/" also={['/dash']} word={t('frame.dashboard')} />
      {manage && <Place to="/manage" also={['/services/manageoccupation']} word={t('frame.manage')} />}
      {history && <Place to="/history" word={t('frame.history')} />}
      {admin && <Place to="/admin" also={['/iam', '/integration']} word={t('frame.admin')} />}
    </>
  );
};

const Place = ({ to, also = [], word }: { to: '/' | '/manage' | '/history' | '/admin'; also?: readonly string[]; word: string }) => {
  const path = useLocation().pathname.replace(/(?<=.)\/+$/, '');
  const here = path === to || [to, ...also].some((part) => part !== '/' && `${path}/`.startsWith(`${part}/`));
  return (
    // The router says `page` of the very address; below it one is in this part of the portal, not on this page.
    <Link
      to={to}
      search={{}}
      className={styles.link}
      activeOptions={EXACT}
      activeProps={NOTHING}
      data-here={here || undefined}
      aria-current={here ? 'true' : undefined}
    >
      {word}
    </Link>
  );
};
const EXACT = { exact: true, includeSearch: false };
const NOTHING = {};

const ThemeToggle = () => {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const label = t(dark ? 'frame.toLight' : 'frame.toDark');
  return (
    <button type="button" className={styles.tool} onClick={() => setColorScheme(dark ? 'light' : 'dark')} aria-label={label} title={label}>
      {dark ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />}
    </button>
  );
};
