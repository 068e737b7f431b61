import { useTranslation } from 'react-i18next';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type AccessLink, useLinkCommands } from './api.ts';

/** Those that were withdrawn already are not asked about. */
export const RevokeSeveral = ({ links, onClose }: { links: readonly AccessLink[]; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useLinkCommands();
  return (
    <SeveralDialog
      rows={links}
      nameOf={(link) => link.name}
      destructive
      title={t('links.revokeSeveral', { count: links.length })}
      action={t('links.revoke')}
      done={t('links.revokedSeveral', { count: links.length })}
      act={(link) => commands.revoke(link.id)}
      onClose={onClose}
    >
      <p>{t('links.revokeSeveralText')}</p>
    </SeveralDialog>
  );
};
