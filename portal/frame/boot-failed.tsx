import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/notice.tsx';
import { Looks } from './looks.tsx';

/** Shown when not even the configuration or the sign-in could be reached. */
export const BootFailed = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  return (
    <Looks>
      <Notice
        title={t('frame.failed.boot')}
        text={t('frame.failed.bootText')}
        detail={error instanceof Error ? error.message : String(error)}
        action={{ label: t('common.retry'), onClick: () => location.reload() }}
      />
    </Looks>
  );
};
