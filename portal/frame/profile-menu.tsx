import { IconBuildingWarehouse, IconFlask, IconLogout, IconSettings, IconUser } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../app/portal.ts';
import { useSwitchCompany } from '../app/switch-company.ts';
import { useMe, useToken } from '../app/who.ts';
import { initials } from './initials.ts';
import styles from './profile-menu.module.css';

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

/** Profile, settings, the other companies, and out. Plain markup: a menu with floating layers would cost the first load 30 kB. */
export const ProfileMenu = () => {
  const { t } = useTranslation();
  const { config, session } = usePortal();
  const token = useToken();
  const { data: me } = useMe();
  const switchCompany = useSwitchCompany();
  const button = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  // Open on the screen where it was opened: a navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === pathname;
  const close = (): void => setOpenAt(null);
  const name = me?.account.name ?? token.name ?? '';
  const others = (me?.memberships ?? []).filter((one) => one.tenantId !== me?.tenantId && !one.suspended);
  const leave = (event: FocusEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!open) return;
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Escape') {
      close();
      button.current?.focus();
    } else if (to !== undefined) {
      event.preventDefault();
      items.at(to % items.length)?.focus();
    }
  };
  return (
    <div className={styles.menu} onBlur={leave} onKeyDown={onKey} role="presentation">
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={name ? `${t('frame.profileMenu')}: ${name}` : t('frame.profileMenu')}
        aria-expanded={open}
        aria-controls="profile-menu"
        onClick={() => setOpenAt(open ? null : pathname)}
      >
        {name ? <span className={styles.initials} data-initials={initials(name)} /> : <IconUser {...icon} />}
      </button>
      <div id="profile-menu" className={styles.panel} hidden={!open} tabIndex={-1}>
        {name && <div className={styles.person}>{name}</div>}
        <Link to="/profile" className={styles.item} data-item activeProps={{}}>
          <IconUser {...icon} />
          {t('frame.profile')}
        </Link>
        <Link to="/settings" className={styles.item} data-item activeProps={{}}>
          <IconSettings {...icon} />
          {t('frame.settings')}
        </Link>
        {config.sandbox !== undefined && (
          <a href={config.sandbox} target="_blank" rel="noreferrer" className={styles.item} data-item>
            <IconFlask {...icon} />
            {t('frame.sandbox')}
          </a>
        )}
        {others.length > 0 && (
          <div className={styles.group}>
            <div className={styles.label}>{t('frame.switchCompany')}</div>
            {others.map((one) => (
              <button key={one.tenantId} type="button" className={styles.item} data-item onClick={() => switchCompany(one)}>
                <IconBuildingWarehouse {...icon} />
                {one.name}
              </button>
            ))}
          </div>
        )}
        <div className={styles.group}>
          <button type="button" className={styles.item} data-item onClick={() => void session.logout()}>
            <IconLogout {...icon} />
            {t('frame.logout')}
          </button>
        </div>
      </div>
    </div>
  );
};
