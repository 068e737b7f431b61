import { isEmail, mayBeNumber } from '@hatchway/domain/receiver.ts';
import { Alert, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dataOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { useCountryName } from '../../app/who.ts';
import { FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Roles, useMemberCommands } from './api.ts';
import { goesWhereTyped, openInvitationOf } from './people.ts';
import { RolePicker } from './role-picker.tsx';

/** `people`: those of several, as they were written. */
export type InviteTyped = { email: string; tlf: string; people: string };
export type InviteProps = {
  roles: Roles;
  onRoles: (roles: Roles) => void;
  typed: InviteTyped;
  onTyped: (part: Partial<InviteTyped>) => void;
  onClose: () => void;
};

/** One link reaches whichever is read first. When it is refused, what was typed stays. */
export const InviteOne = ({ roles, onRoles, typed: { email, tlf }, onTyped, onClose }: InviteProps) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const [tried, setTried] = useState(false);
  const [member, setMember] = useState<{ name: string; email: string } | null>(null);
  const typed = { email: email.trim(), tlf: tlf.trim() };
  const none = typed.email === '' && typed.tlf === '';
  const wrong = {
    email: none
      ? t('members.reachNeeded')
      : typed.email !== '' && !isEmail(typed.email)
        ? t('members.emailWrong')
        : member?.email === typed.email
          ? t('members.isMember', { name: member.name })
          : null,
    tlf: typed.tlf !== '' && !mayBeNumber(typed.tlf) ? t('members.tlfWrong') : null,
  };
  const invite = useMutation({
    mutationFn: async () => {
      const known = typed.email === '' ? null : await commands.memberWith(typed.email);
      setMember(known === null ? null : { name: known.name, email: typed.email });
      if (known !== null) return null;
      return commands.invite({ ...(typed.email ? { email: typed.email } : {}), ...(typed.tlf ? { tlf: typed.tlf } : {}), roles });
    },
    onSuccess: (made) => {
      if (made === null) return;
      toast.ok(t('members.invited', { who: made.email ?? made.tlf ?? '' }));
      onClose();
    },
  });
  const type = (part: Partial<InviteTyped>): void => {
    onTyped(part);
    if (invite.isError) invite.reset();
  };
  const open = openInvitationOf(dataOf(invite.error));
  const openTo = [open?.email, open?.tlf].filter(Boolean).join(', ');
  const resend = useMutation({
    mutationFn: commands.resend,
    onSuccess: (sent) => {
      toast.ok(t('members.invited', { who: sent.email ?? sent.tlf ?? '' }));
      onClose();
    },
  });
  const submit = (): void => {
    setTried(true);
    if (!wrong.email && !wrong.tlf) invite.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <TextInput
        type="email"
        label={t('members.email')}
        value={email}
        onChange={(event) => type({ email: event.currentTarget.value })}
        error={tried && wrong.email}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        maxLength={254}
        data-autofocus
      />
      <TextInput
        type="tel"
        label={t('members.tlf')}
        description={`${t('members.tlfText')} ${t('common.numbersOf', { country: useCountryName() })}`}
        value={tlf}
        onChange={(event) => type({ tlf: event.currentTarget.value })}
        error={tried && wrong.tlf}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        maxLength={20}
        mt="md"
        mb="md"
      />
      <RolePicker value={roles} onChange={onRoles} />
      {open === null ? (
        invite.isError && <ProblemNote error={invite.error} />
      ) : (
        <Alert role="alert" color="yellow" mt="md" title={t('members.invitedAlready')}>
          {goesWhereTyped(open, typed) ? (
            <>
              {t('members.invitedAlreadyText', { who: openTo })}
              <Button mt="xs" display="block" variant="default" loading={resend.isPending} onClick={() => resend.mutate(open.id)}>
                {t('members.resend')}
              </Button>
            </>
          ) : (
            t('members.invitedElsewhereText', { who: openTo })
          )}
          {resend.isError && <ProblemNote error={resend.error} />}
        </Alert>
      )}
      <FormFoot saving={invite.isPending} save={t('members.send')} />
    </Form>
  );
};
