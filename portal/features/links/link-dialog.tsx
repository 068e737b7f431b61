import { handsOnAll } from '@hatchway/domain/access-link.ts';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUserOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline, fullTime } from '../../app/dates.ts';
import { useDraft } from '../../app/draft.ts';
import { fieldErrors } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts, useZone } from '../../app/who.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { Address } from './address.tsx';
import { type AccessLink, linkQuery, useLinkCommands } from './api.ts';
import { LinkLimits, LinkName } from './link-fields.tsx';
import styles from './links.module.css';
import { doorsText, LinkState, stoppedOf } from './state.tsx';
import { wrongOf } from './wrong.ts';

/** One link: its address while it works, its limits, and who used it. It changes by itself when somebody uses it. */
export const LinkDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const zone = useZone();
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const query = useQuery(linkQuery(useApi(), id));
  const [open, setOpen] = useState<'change' | 'revoke' | null>(null);
  const link = query.data;
  const facts = useFacts();
  const alive = link !== undefined && (link.state === 'active' || link.state === 'waiting');
  const mine = link !== undefined && handsOnAll(link, facts);
  return (
    <>
      <Dialog
        opened={open === null}
        size="lg"
        fullScreen={phone}
        onClose={onClose}
        title={link?.name ?? t(query.isError ? 'links.title' : 'common.loading')}
      >
        <Waiting of={query} lines={6} height={24} />
        {link && (
          <Stack gap="lg">
            {alive && <Stopped link={link} mine={mine} />}
            {alive && mine && <Address link={link} />}
            {alive && !mine && <p>{t('links.notYours')}</p>}
            <Facts
              rows={[
                [t('links.state'), <LinkState key="state" link={link} />],
                [t('links.purpose'), t(`links.purposes.${link.purpose}`)],
                [t('links.lockers'), doorsText(link.doors, 40)],
                [t('links.validFrom'), deadline(link.validFrom, zone)],
                [t('links.validTo'), deadline(link.validTo, zone)],
                [t('links.uses'), t('links.usedOf', { used: link.used, most: link.maxUses })],
                ...(link.revokedAt === null ? [] : ([[t('links.revokedAt'), fullTime(link.revokedAt)]] as const)),
                [t('links.createdBy'), link.createdBy.name],
                ...(link.answeredBy.id === link.createdBy.id ? [] : ([[t('links.answeredBy'), link.answeredBy.name]] as const)),
              ]}
            />
            <Panel title={t('links.usedBy')}>
              <Uses uses={link.uses} />
            </Panel>
            <Group justify="flex-end" gap="xs">
              {link.state !== 'revoked' && (
                <Button variant="subtle" color="red" mr="auto" onClick={() => setOpen('revoke')}>
                  {t('links.revoke')}
                </Button>
              )}
              {link.state !== 'revoked' && (
                <Button variant="default" onClick={() => setOpen('change')}>
                  {t('links.change')}
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </Dialog>
      {link && open === 'change' && <Change link={link} onClose={() => setOpen(null)} />}
      {link && open === 'revoke' && <Revoke link={link} onClose={() => setOpen(null)} />}
    </>
  );
};

/** Says that whose right it opens in has ended, and lets somebody who may answer for it from now on. */
const Stopped = ({ link, mine }: { link: AccessLink; mine: boolean }) => {
  const { t } = useTranslation();
  const commands = useLinkCommands();
  const stopped = stoppedOf(link);
  const takeOver = useMutation({
    mutationFn: () => commands.takeOver(link),
    onSuccess: (saved) => toast.ok(t('links.takenOver', { name: saved.name })),
  });
  if (stopped === null) return null;
  const shut = link.doors.filter((door) => !door.opens);
  return (
    <Alert color="yellow" icon={<IconUserOff aria-hidden />} title={t('links.stoppedTitle', { name: link.answeredBy.name })}>
      <Stack gap="sm" align="flex-start">
        <span>{stopped === 'all' ? t('links.stoppedText') : t('links.stoppedSome', { doors: doorsText(shut, 12) })}</span>
        {mine && (
          <Button variant="default" loading={takeOver.isPending} onClick={() => takeOver.mutate()}>
            {t('links.takeOver')}
          </Button>
        )}
        {takeOver.isError && <ProblemNote error={takeOver.error} />}
      </Stack>
    </Alert>
  );
};

const Uses = ({
  uses,
}: {
  uses: readonly { id: string; at: string; name: string | null; doorTag: string; occupationId: string | null; outcome: string | null }[];
}) => {
  const { t } = useTranslation();
  if (uses.length === 0) return <p>{t('links.unused')}</p>;
  return (
    <ul className={styles.uses} aria-live="polite">
      {uses.map((use) => (
        <li key={use.id}>
          <span>
            <b>{use.name ?? t('links.nameless')}</b> · {use.doorTag}
          </span>
          <Moment at={use.at} />
          <small>{use.outcome === null ? t('links.outcomes.pending') : t(`links.outcomes.${outcomeOf(use.outcome)}`)}</small>
          {use.occupationId !== null && (
            <Link to="/history/occupation/$id" params={{ id: use.occupationId }}>
              {t('history.timeline')}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
};

const OUTCOMES = ['opened', 'refused', 'jammed', 'not-seen', 'no-answer', 'offline'] as const;
const outcomeOf = (outcome: string) => OUTCOMES.find((one) => one === outcome) ?? 'pending';

const limitsOf = (link: AccessLink | null) => ({
  name: link?.name ?? '',
  validFrom: link?.validFrom ?? '',
  validTo: link?.validTo ?? '',
  maxUses: link?.maxUses ?? 1,
});

const Change = ({ link, onClose }: { link: AccessLink; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLinkCommands();
  const api = useApi();
  const queryClient = useQueryClient();
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    row: link,
    newest: () => queryClient.fetchQuery({ ...linkQuery(api, link.id), staleTime: 0 }),
    begun: limitsOf,
    save: (meant, version) => commands.change(link.id, { ...meant, name: meant.name.trim(), version }),
    onSaved: (saved) => {
      toast.ok(t('links.saved', { name: saved.name }));
      onClose();
    },
  });
  const { value, set: setValue } = draft;
  const own = wrongOf(value, t, tried);
  const wrong = {
    ...own,
    ...(value.maxUses < link.used ? { maxUses: t('links.fewerThanUsed', { count: link.used }) } : {}),
    ...fieldErrors(draft.error, t),
  };
  const submit = (): void => {
    setTried(true);
    if (Object.keys(wrongOf(value, t, true)).length === 0 && value.maxUses >= link.used) draft.save();
  };
  return (
    <FormDialog title={link.name} dirty={draft.dirty} saving={draft.saving} size="lg" long onClose={onClose}>
      <Form onSubmit={submit}>
        <Stack gap="lg">
          <LinkName value={value} wrong={wrong} onChange={setValue} />
          <LinkLimits value={value} wrong={wrong} onChange={setValue} />
        </Stack>
        <SaveProblem of={draft.conflict} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};

/** Names the link, and says that what was begun with it ends too. */
const Revoke = ({ link, onClose }: { link: AccessLink; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLinkCommands();
  return (
    <EndDialog
      title={t('links.revokeTitle', { name: link.name })}
      action={t('links.revoke')}
      act={() => commands.revoke(link.id)}
      done={t('links.revoked', { name: link.name })}
      onClose={onClose}
    >
      {t('links.revokeText')}
    </EndDialog>
  );
};
