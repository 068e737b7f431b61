import { isToolFault } from '@hatchway/domain/integration.ts';
import { useTranslation } from 'react-i18next';

/** What an asset tool refused, in words where they are known; else in its own. */
export const useToolWords = (): { faultOf: (error: string) => string } => {
  const { t } = useTranslation();
  return {
    faultOf: (error) => (isToolFault(error) ? t(`assets.tool.faults.${error}`) : t('assets.tool.theirWords', { words: error })),
  };
};
