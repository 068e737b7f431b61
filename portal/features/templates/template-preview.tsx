import { useTranslation } from 'react-i18next';
import type { Preview } from './api.ts';
import styles from './templates.module.css';

/** A phone's bubble with its size, or the mail as it arrives. */
export const TemplatePreview = ({ preview }: { preview: Preview }) => {
  const { t } = useTranslation();
  const { sms } = preview;
  if (sms)
    return (
      <>
        <p className={styles.bubble}>{preview.text}</p>
        <p className={styles.size} aria-live="polite" data-many={sms.parts > 1 || undefined}>
          {t('templates.characters', { count: sms.characters })} · {t('templates.parts', { count: sms.parts })}
        </p>
        {sms.alphabet === 'unicode' && <p className="hw-hint">{t('templates.unicode')}</p>}
        {sms.parts > 1 && <p className="hw-hint">{t('templates.dear')}</p>}
      </>
    );
  return (
    <>
      <p className={styles.subject}>
        <span className="hw-hint">{t('templates.subject')}</span>
        <br />
        <strong>{preview.subject}</strong>
      </p>
      {/* Nothing in it runs or leads away: it is only looked at. */}
      <iframe className={styles.mail} title={t('templates.mailPreview')} sandbox="" srcDoc={preview.html ?? ''} />
    </>
  );
};
