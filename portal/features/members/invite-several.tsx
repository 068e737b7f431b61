import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { useCountryName } from '../../app/who.ts';
import { FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { eachOf } from '../../ui/several-dialog.tsx';
import { useMemberCommands } from './api.ts';
import type { InviteProps } from './invite-one.tsx';
import styles from './members.module.css';
import { peopleIn, type Reach, reachWords } from './people.ts';
import { RolePicker } from './role-picker.tsx';

/** More at once is a list that wants to be looked at twice. */
const MOST = 50;

/** Each gets an invitation of their own. Those that were refused stay in the field, with the reason; the others are on their way. */
export const InviteSeveral = ({ roles, onRoles, typed, onTyped, onClose }: InviteProps) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const text = typed.people;
  const [tried, setTried] = useState(false);
  const { people, wrong } = peopleIn(text);
  const fault =
    wrong.length > 0
      ? t('members.peopleWrong', { words: wrong.join(', ') })
      : people.length === 0
        ? t('members.peopleNeeded')
        : people.length > MOST
          ? t('members.peopleMost', { most: MOST })
          : null;
  const invite = useMutation({
    mutationFn: (wanted: Reach[]) => eachOf(wanted, (reach) => commands.invite({ ...reach, roles })),
    onSuccess: (refused, wanted) => {
      const sent = wanted.length - refused.length;
      if (sent > 0) toast.ok(t('members.invitedSeveral', { count: sent }));
      if (refused.length === 0) return onClose();
      setTried(false);
      onTyped({ people: refused.map(({ row }) => reachWords(row)).join('\n') });
    },
  });
  const submit = (): void => {
    setTried(true);
    if (fault === null) invite.mutate(people);
  };
  const refused = invite.data ?? [];
  return (
    <Form onSubmit={submit}>
      <Textarea
        label={t('members.people')}
        description={`${t('members.peopleText')} ${t('common.numbersOf', { country: useCountryName() })}`}
        placeholder={'kari@example.com\n912 34 567'}
        value={text}
        onChange={(event) => onTyped({ people: event.currentTarget.value })}
        error={tried && fault}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        spellCheck={false}
        autosize
        minRows={4}
        maxRows={12}
        mb="md"
        data-autofocus
      />
      <RolePicker value={roles} onChange={onRoles} />
      {refused.length > 0 && (
        <div role="alert">
          <strong>{t('common.refused', { count: refused.length })}</strong>
          <ul className={styles.names}>
            {refused.map(({ row, error }) => (
              <li key={reachWords(row)}>
                {reachWords(row)}: {t(`problems.${tell(error).sentence}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <FormFoot
        saving={invite.isPending}
        save={people.length === 0 ? t('members.send') : t('members.sendSeveral', { count: people.length })}
      />
    </Form>
  );
};
