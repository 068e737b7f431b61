import { useTranslation } from 'react-i18next';
import { Bones } from '../ui/panel.tsx';

/** A screen whose code is on its way. */
export const Pending = () => {
  const { t } = useTranslation();
  return (
    <>
      <output className="hw-spoken">{t('common.loading')}</output>
      <Bones lines={1} height={32} />
      <br />
      <Bones lines={4} height={72} />
    </>
  );
};
