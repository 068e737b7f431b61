import { handsOn, type LinkPurpose as Purpose } from '@hatchway/domain/access-link.ts';
import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../app/problem.ts';
import { useFacts } from '../../app/who.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type AccessLink, useLinkCommands } from './api.ts';
import { LinkLimits, LinkName, LinkPurpose } from './link-fields.tsx';
import { LockerPicker } from './locker-picker.tsx';
import { purposesOf } from './purposes.ts';
import { wrongOf } from './wrong.ts';

const DAY = 24 * 3600_000;
type Draft = { name: string; purpose: AccessLink['purpose']; lockerIds: string[]; validFrom: string; validTo: string; maxUses: number };
const blank = (purpose: Purpose): Draft => {
  const now = Date.now();
  return {
    name: '',
    purpose,
    lockerIds: [],
    validFrom: new Date(now).toISOString(),
    validTo: new Date(now + DAY).toISOString(),
    maxUses: 1,
  };
};

/** Makes a link; refused, it stays open with what was typed. Who made it goes on to its address. */
export const MakeDialog = ({ onMade, onClose }: { onMade: (link: AccessLink) => void; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLinkCommands();
  const facts = useFacts();
  const offered = purposesOf(facts);
  const [first] = useState(() => blank(offered[0] ?? 'open'));
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      // "From now" means when it is saved, not when the dialog was opened.
      const { validFrom, ...rest } = { ...draft, name: draft.name.trim() };
      return commands.create(Date.parse(validFrom) <= Date.now() ? rest : { ...rest, validFrom });
    },
    onSuccess: onMade,
  });
  const change = (next: Draft): void => {
    setDraft(next);
    if (save.isError) save.reset();
  };
  const wrong = { ...wrongOf(draft, t, tried), ...fieldErrors(save.error, t) };
  const noLocker = tried && draft.lockerIds.length === 0 ? t('links.lockersNeeded') : undefined;
  const submit = (): void => {
    setTried(true);
    if (Object.keys(wrongOf(draft, t, true)).length === 0 && draft.lockerIds.length > 0) save.mutate();
  };
  return (
    <FormDialog
      title={t('links.make')}
      dirty={JSON.stringify(draft) !== JSON.stringify(first)}
      saving={save.isPending}
      size="lg"
      long
      onClose={onClose}
    >
      <Form onSubmit={submit}>
        <Stack gap="lg">
          <LinkName value={draft} wrong={wrong} onChange={change} />
          <LinkPurpose
            value={draft.purpose}
            offered={offered}
            onChange={(purpose) =>
              change({ ...draft, purpose, lockerIds: draft.lockerIds.filter((id) => handsOn(purpose, id, facts).length > 0) })
            }
          />
          <LockerPicker
            purpose={draft.purpose}
            value={draft.lockerIds}
            error={noLocker}
            onChange={(lockerIds) => change({ ...draft, lockerIds })}
          />
          <LinkLimits value={draft} wrong={wrong} onChange={change} />
        </Stack>
        {save.isError && <ProblemNote error={save.error} />}
        <FormFoot saving={save.isPending} save={t('links.makeIt')} />
      </Form>
    </FormDialog>
  );
};
