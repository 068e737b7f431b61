import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../ui/panel.tsx';
import styles from './builder.module.css';

export type Seen = 'as-shown' | 'empty' | 'other';
/** `after` its answer it was left standing open, so that no sensor was heard of it yet, or its sensor denied it. */
export type Outcome = { tag: string; seen: Seen | 'skipped'; occupationId: string | null; after: 'ajar' | 'denied' | null };

/** What the round came to, and what is left to do. */
export const Summary = ({ outcomes, left }: { outcomes: readonly Outcome[]; left: number }) => {
  const { t } = useTranslation();
  const settled = outcomes.filter(({ seen, after }) => after === null && (seen === 'as-shown' || seen === 'empty'));
  const skipped = outcomes.filter(({ seen }) => seen === 'skipped');
  const denied = outcomes.filter(({ after }) => after === 'denied');
  const ajar = outcomes.filter(({ after }) => after === 'ajar');
  const emptied = outcomes.filter(({ seen, occupationId }) => seen === 'empty' && occupationId !== null);
  const foreign = outcomes.filter(({ seen }) => seen === 'other');
  return (
    <Panel title={outcomes.length === 0 ? t('builder.doubt.none') : t('builder.check.summary')}>
      <div aria-live="polite" data-next tabIndex={-1}>
        {outcomes.length === 0 && <p>{t('builder.doubt.noneText')}</p>}
        {outcomes.length > 0 && <p>{t('builder.check.settled', { count: settled.length })}</p>}
        {denied.length > 0 && <p>{t('builder.check.deniedCount', { count: denied.length })}</p>}
        {ajar.length > 0 && <p>{t('builder.check.leftOpen', { tags: ajar.map(({ tag }) => tag).join(', ') })}</p>}
        {skipped.length > 0 && <p>{t('builder.check.skipped', { count: skipped.length })}</p>}
        {left > 0 && <p>{t('builder.check.left', { count: left })}</p>}
        <ul className={styles.list}>
          {emptied.map(({ tag, occupationId }) => (
            <li key={tag}>
              {t('builder.check.emptyUse', { tag })}{' '}
              <Link to="/services/manageoccupation" search={{ id: occupationId ?? '' }}>
                {t('builder.check.manage')}
              </Link>
            </li>
          ))}
          {foreign.map(({ tag }) => (
            <li key={tag}>{t('builder.check.foreign', { tag })}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
};
