import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { markFirstField } from './first-field.ts';
import { useFocusBack } from './focus-back.ts';

/** Every dialog of the portal: it begins at its first field, its X has a name, and once it is closed the focus is back where it was opened. */
export const Dialog = ({ opened = true, ...props }: Omit<ModalProps, 'opened' | 'closeButtonProps'> & { opened?: boolean }) => {
  const { t } = useTranslation();
  useFocusBack(opened);
  return <Modal ref={markFirstField} opened={opened} closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />;
};
