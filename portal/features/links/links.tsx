import { mayBuildAnywhere } from '@hatchway/domain/access.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { useSeveral } from '../../ui/several.tsx';
import { compact } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { type AccessLink, linkQuery, useLinkCommands } from './api.ts';
import { LinkDialog } from './link-dialog.tsx';
import { LinksTable } from './links-table.tsx';
import { MakeDialog } from './make-dialog.tsx';
import { purposesOf } from './purposes.ts';
import type { LinksSearch } from './search.ts';

/** Those that were withdrawn already are not asked about. */
const isStanding = ({ state }: AccessLink): boolean => state !== 'revoked';

export const Links = ({ search }: { search: LinksSearch }) => {
  const { t } = useTranslation();
  const facts = useFacts();
  const navigate = useNavigate();
  const commands = useLinkCommands();
  const [making, setMaking] = useState(false);
  const [fresh, setMade] = useState<string | null>(null);
  const several = useSeveral(t('links.revoke'), isStanding);
  useEffect(() => {
    // Only once the dialog is gone: it guards what was typed in it against every change of the address.
    if (fresh !== null) void navigate({ to: '/manage/links', search: (before) => ({ ...before, link: fresh }), replace: true });
  }, [fresh, navigate]);
  const may = mayBuildAnywhere(facts) || facts.scopes.includes('manage');
  // Of another company's that may be read there, the frame says whose it is.
  const foreign = useQuery({ ...linkQuery(useApi(), search.link ?? ''), enabled: !may && search.link !== undefined });
  if (foreign.isLoading) return <Bones lines={4} height={72} />;
  if (!may) return <NotAllowed />;
  const go = (next: LinksSearch) => void navigate({ to: '/manage/links', search: compact(next), replace: true });
  const create = purposesOf(facts).length > 0 && <MakeButton word={t('links.make')} onClick={() => setMaking(true)} />;
  const made = (link: AccessLink): void => {
    toast.ok(t('links.made', { name: link.name }));
    setMaking(false);
    setMade(link.id);
  };
  return (
    <>
      <PageHeader title={t('links.title')} intro={t('links.intro')} actions={create || undefined} />
      <LinksTable
        search={search}
        onSearch={(change) => go({ ...search, ...change })}
        onOpen={(link) => go({ ...search, link: link.id })}
        onClear={() => go({})}
        create={create}
        bulk={several.bulk}
      />
      {several.rows && (
        <SeveralDialog
          rows={several.rows}
          nameOf={(link) => link.name}
          destructive
          title={t('links.revokeSeveral', { count: several.rows.length })}
          action={t('links.revoke')}
          done={t('links.revokedSeveral', { count: several.rows.length })}
          act={(link) => commands.revoke(link.id)}
          onClose={several.close}
        >
          <p>{t('links.revokeSeveralText')}</p>
        </SeveralDialog>
      )}
      {making && <MakeDialog onMade={made} onClose={() => setMaking(false)} />}
      {!making && search.link && <LinkDialog key={search.link} id={search.link} onClose={() => go({ ...search, link: undefined })} />}
    </>
  );
};
