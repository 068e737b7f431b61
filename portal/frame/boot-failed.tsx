import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/notice.tsx';
import { Looks } from './looks.tsx';

/** Shown when not even the configuration or the sign-in could be reached, be it that this is not the address at which that answers: `home` is. */
export const BootFailed = ({ error, home }: { error: unknown; home: string }) => {
  const { t } = useTranslation();
  const strayed = home !== location.origin;
  return (
    <Looks>
      <Notice
        title={t('frame.failed.boot')}
        text={strayed ? t('frame.failed.strayed', { home }) : t('frame.failed.bootText')}
        detail={error instanceof Error ? error.message : String(error)}
        action={
          strayed
            ? { label: t('frame.failed.goHome'), onClick: () => location.assign(home + location.pathname + location.search) }
            : { label: t('common.retry'), onClick: () => location.reload() }
        }
      />
    </Looks>
  );
};
