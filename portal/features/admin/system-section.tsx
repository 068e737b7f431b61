import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { Facts, Panel } from '../../ui/panel.tsx';

const SystemSection = () => {
  const { t } = useTranslation();
  const { config } = usePortal();
  return (
    <Panel title={t('admin.sections.system')}>
      <Facts rows={[[t('admin.build'), <code key="build">{config.build}</code>]]} />
    </Panel>
  );
};
export default SystemSection;
