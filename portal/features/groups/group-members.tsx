import { ActionIcon, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserMinus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { groupMembersQuery, peopleQuery, useGroupCommands } from './api.ts';
import styles from './groups.module.css';

/** Who is in it; whoever is put in or taken out has, or loses, what its permissions give from then on. */
export const GroupMembers = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useGroupCommands();
  const members = useQuery(groupMembersQuery(api, id));
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words.trim(), 200);
  const people = useQuery(peopleQuery(api, asked));
  const put = useMutation({ mutationFn: (userId: string) => commands.put(id, userId), onSuccess: () => setWords('') });
  const take = useMutation({ mutationFn: (userId: string) => commands.take(id, userId) });
  const inside = new Set((members.data ?? []).map((one) => one.id));
  // Only the answer to what stands there now: Enter must not put in whom an earlier letter found.
  const settled = asked === words.trim();
  const found = (settled ? (people.data ?? []) : [])
    .filter((one) => !inside.has(one.id))
    .map((one) => ({ value: one.id, label: [one.name, one.email ?? one.tlf].filter(Boolean).join(' · ') }));
  return (
    <section className={styles.part} aria-label={t('groups.members')}>
      <h3 className={styles.title}>{t('groups.members')}</h3>
      <Select
        aria-label={t('groups.add')}
        placeholder={t('groups.add')}
        searchable
        value={null}
        searchValue={words}
        onSearchChange={setWords}
        data={found}
        // The server has searched already.
        filter={({ options }) => options}
        nothingFoundMessage={people.isFetching || !settled ? t('common.loading') : t('groups.nobodyFound')}
        onChange={(userId) => userId && put.mutate(userId)}
        disabled={put.isPending}
      />
      {put.isError && <ProblemNote error={put.error} />}
      {take.isError && <ProblemNote error={take.error} />}
      <Waiting of={members} lines={3} />
      {members.data?.length === 0 && <p className={styles.dim}>{t('groups.nobody')}</p>}
      <ul className={styles.list}>
        {(members.data ?? []).map((one) => (
          <li key={one.id}>
            <span>
              {one.name} <small>{one.email}</small>
            </span>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('groups.takeOut', { name: one.name })}
              loading={take.isPending && take.variables === one.id}
              onClick={() => take.mutate(one.id)}
            >
              <IconUserMinus size={18} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
};
