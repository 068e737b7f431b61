import { ROLES } from '@hatchway/domain/terms.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../app/problem.ts';
import { usePortal } from '../../app/portal.ts';
import { type Me, meQuery } from '../../app/queries.ts';
import { useSwitchCompany } from '../../app/switch-company.ts';
import { toast } from '../../app/toasts.ts';
import { useMe } from '../../app/who.ts';
import { Form } from '../../ui/form.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import styles from './account.module.css';
import { Rights } from './rights.tsx';

export const Profile = () => {
  const { t } = useTranslation();
  const me = useMe();
  return (
    <>
      <PageHeader title={t('account.profile.title')} intro={t('account.profile.intro')} />
      <div className={styles.stack}>
        {me.isError && <ProblemNote error={me.error} onRetry={() => void me.refetch()} />}
        {me.isPending && (
          <Panel title={t('account.profile.title')}>
            <Bones lines={4} height={32} />
          </Panel>
        )}
        {me.data && (
          <>
            <PersonForm me={me.data} key={me.data.account.updatedAt} />
            <SignIn />
            <Rights me={me.data} />
            <Companies me={me.data} />
          </>
        )}
      </div>
    </>
  );
};

const PersonForm = ({ me }: { me: Me }) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const [name, setName] = useState(me.account.name);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () => api('PUT /accounts/me', { body: { name: name.trim() } }),
    onSuccess: (account) => {
      queryClient.setQueryData(meQuery(api).queryKey, { ...me, account });
      toast.ok(t('account.profile.saved'));
    },
  });
  const dirty = name.trim() !== me.account.name;
  const wrong = name.trim().length < 1 || name.trim().length > 100;
  const error = (tried && wrong && t('account.profile.nameNeeded')) || fieldErrors(save.error, t)['name'];
  const submit = (): void => {
    setTried(true);
    if (!wrong && dirty) save.mutate();
  };
  return (
    <Panel title={t('account.profile.person')}>
      <Form className={styles.form} onSubmit={submit}>
        <TextInput
          label={t('account.profile.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error}
          autoComplete="name"
          maxLength={120}
        />
        <Facts
          rows={[
            [t('account.profile.email'), me.account.email ?? t('common.notSet')],
            [t('account.profile.tlf'), me.account.tlf ?? t('common.notSet')],
          ]}
        />
        {save.isError && <ProblemNote error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!dirty}>
            {t('common.save')}
          </Button>
          {dirty && (
            <Button variant="default" onClick={() => setName(me.account.name)}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Form>
      <UnsavedGuard dirty={dirty && !save.isPending} />
    </Panel>
  );
};

const SignIn = () => {
  const { t } = useTranslation();
  const { session } = usePortal();
  return (
    <Panel title={t('account.profile.signIn')}>
      <Button component="a" href={session.account()} variant="default">
        {t('account.profile.signInChange')}
      </Button>
    </Panel>
  );
};

/** Only roles of this portal have a word; what else a token may hold says nothing to a person. */
const rolesIn = (held: readonly string[], t: TFunction): string =>
  ROLES.filter((role) => held.includes(role))
    .map((role) => t(`terms.role.${role}`))
    .join(', ');

const Companies = ({ me }: { me: Me }) => {
  const { t } = useTranslation();
  const switchCompany = useSwitchCompany();
  return (
    <Panel title={t('account.profile.memberships')} flush>
      {me.memberships.map((one) => (
        <div key={one.tenantId} className={styles.row}>
          <div>
            <h3>{one.name}</h3>
            <p>{rolesIn(one.roles, t) || t('account.profile.noRoles')}</p>
          </div>
          {one.tenantId === me.tenantId ? (
            <span className={styles.tag}>{t('account.profile.here')}</span>
          ) : one.suspended ? (
            <span className={styles.tag}>{t('account.profile.suspended')}</span>
          ) : (
            <Button variant="default" size="sm" onClick={() => switchCompany(one)}>
              {t('account.profile.switch')}
            </Button>
          )}
        </div>
      ))}
    </Panel>
  );
};
