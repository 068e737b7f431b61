import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isChunkError } from '../app/chunks.ts';
import { ApiError } from '@hatchway/contract/client.ts';
import { tell } from '../app/problem.ts';
import { Notice } from '../ui/notice.tsx';

/** The error boundary of every route: the frame stays, the screen says what happened. */
export const Failed = ({ error, reset }: ErrorComponentProps) => {
  const { t } = useTranslation();
  if (isChunkError(error)) {
    return (
      <Notice
        title={t('frame.failed.chunk')}
        text={t('frame.failed.chunkText')}
        detail={tell(error).detail}
        action={{ label: t('common.reload'), onClick: () => location.reload() }}
      />
    );
  }
  const text = error instanceof ApiError || error instanceof TypeError ? t(`problems.${tell(error).sentence}`) : t('frame.failed.text');
  return (
    <Notice title={t('frame.failed.title')} text={text} detail={tell(error).detail} action={{ label: t('common.retry'), onClick: reset }} />
  );
};
