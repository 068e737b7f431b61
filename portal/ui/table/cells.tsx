import { ActionIcon, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { deadline, fullTime } from '../../app/dates.ts';
import { Moment } from '../moment.tsx';
import type { Column } from './column.ts';

/** What most lists show. All but the name are made anew by each call: the list's columns are kept with `useMemo`. */
export const nameCell = (row: { name: string }) => <strong>{row.name}</strong>;

type Timed<K extends string> = Readonly<Record<K, string | null>>;

/** When something was, by the browser's clock: short in the list, whole in its file. */
export const timeOf = <K extends string>(key: K) => ({
  cell: (row: Timed<K>) => <Moment at={row[key]} />,
  text: (row: Timed<K>) => fullTime(row[key]),
});

/** When something is or was, by the company's clock, as all times of such a list. */
export const companyTimeOf = <K extends string>(key: K, zone: string | undefined) => ({
  cell: (row: Timed<K>) => <Moment at={row[key]} row zone={zone} />,
  text: (row: Timed<K>) => deadline(row[key], zone),
});

/** `ends`: something is lost by it. */
type Act = { icon: Icon; name: string; ends?: true; act: () => void };

/** The column of what can be done with each row, by icons that have names. */
export const actsColumn = <T,>(t: TFunction, actsOf: (row: T) => readonly Act[], width = 110): Column<T> => ({
  id: 'actions',
  header: t('common.actions'),
  width,
  cell: (row) => (
    <Group gap={4} wrap="nowrap">
      {actsOf(row).map(({ icon: ActIcon, name, ends, act }) => (
        <ActionIcon key={name} color={ends ? 'red' : 'gray'} aria-label={name} onClick={act}>
          <ActIcon size={18} aria-hidden />
        </ActionIcon>
      ))}
    </Group>
  ),
});
