import { formatPrice } from '@hatchway/domain/price.ts';
import { SERVICES } from '@hatchway/domain/terms.ts';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { span } from '../../app/dates.ts';
import { codeOf } from '../../app/problem.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { useSeveral } from '../../ui/several.tsx';
import { actsColumn } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { compact, parseListSearch } from '../../ui/table/search.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { Tags } from '../account/rights.tsx';
import { SectionHead } from '../admin/section-head.tsx';
import type { SectionProps } from '../admin/section.ts';
import { usePolicyCommands, type Policy } from './api.ts';
import { PolicyDialog } from './policy-dialog.tsx';

type Open = { make: true } | { change: Policy } | { remove: Policy } | null;

const PoliciesSection = ({ search: raw, onSearch }: SectionProps) => {
  const { t } = useTranslation();
  const search = parseListSearch(raw);
  const [open, setOpen] = useState<Open>(null);
  const [edit] = useState(() => (policy: Policy) => setOpen({ change: policy }));
  const [remove] = useState(() => (policy: Policy) => setOpen({ remove: policy }));
  const several = useSeveral<Policy>(t('common.delete'));
  const close = (): void => setOpen(null);
  const { find } = search;
  const pages = usePages('GET /policies', find ? { $text: find } : {});
  const columns = useColumns(edit, remove);
  const look = (change: typeof search): void => onSearch(compact({ ...search, ...change }));
  const create = <MakeButton word={t('policies.make')} onClick={() => setOpen({ make: true })} />;
  return (
    <>
      <SectionHead title={t('policies.title')} intro={t('policies.intro')} actions={create} />
      <DataTable<Policy>
        label={t('policies.title')}
        columns={columns}
        pages={pages}
        search={search}
        onSearch={look}
        defaultSort="name"
        searchable={t('policies.search')}
        rowId={(row) => row._id}
        rowName={(row) => row.name}
        rowStamp={(row) => row.updatedAt}
        onOpen={edit}
        filtered={Boolean(find)}
        onClear={() => look({ find: undefined })}
        empty={{ title: t('policies.empty'), text: t('policies.emptyText'), action: create }}
        bulk={several.bulk}
      />
      {open && 'make' in open && <PolicyDialog policy={null} onClose={close} />}
      {open && 'change' in open && <PolicyDialog key={open.change._id} policy={open.change} onClose={close} />}
      {open && 'remove' in open && <RemoveDialog policy={open.remove} onClose={close} />}
      {several.rows && <RemoveSeveral policies={several.rows} onClose={several.close} />}
    </>
  );
};
export default PoliciesSection;

const nameCell = (row: Policy) => (
  <>
    <strong>{row.name}</strong> <code>{row.ref}</code>
  </>
);

const useColumns = (onEdit: (policy: Policy) => void, onRemove: (policy: Policy) => void) => {
  const { t, i18n } = useTranslation();
  return useMemo((): Column<Policy>[] => {
    const services = (row: Policy): string[] =>
      row.services.length === 0
        ? [t('policies.everyService')]
        : SERVICES.filter((service) => row.services.includes(service)).map((service) => t(`terms.service.${service}`));
    const limits = (row: Policy): string =>
      [
        row.reserveMinutes === null ? null : t('policies.short.reserve', { time: span(row.reserveMinutes * 60_000) }),
        row.pickupHours === null ? null : t('policies.short.pickup', { time: span(row.pickupHours * 3_600_000) }),
        row.loanHours === null ? null : t('policies.short.loan', { time: span(row.loanHours * 3_600_000) }),
        row.maxActivePerPerson === null ? null : t('policies.short.most', { count: row.maxActivePerPerson }),
      ]
        .filter((part) => part !== null)
        .join(', ');
    const where = (row: Policy): string =>
      row.lockerIds.length === 0 ? t('policies.everyLocker') : t('policies.someLockers', { count: row.lockerIds.length });
    const price = (row: Policy): string => (row.price ? formatPrice(row.price, i18n.language) : '');
    return [
      { id: 'name', header: t('policies.name'), sort: 'name', cell: nameCell, text: (row) => row.name },
      {
        id: 'services',
        header: t('policies.services'),
        cell: (row) => <Tags words={services(row)} />,
        text: (row) => services(row).join(', '),
      },
      { id: 'where', header: t('policies.where'), text: where },
      { id: 'limits', header: t('policies.limits'), cell: (row) => limits(row) || t('policies.house'), text: limits },
      { id: 'price', header: t('policies.price'), width: 110, text: price },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('policies.change', { name: row.name }), act: () => onEdit(row) },
        { icon: IconTrash, name: t('policies.delete', { name: row.name }), ends: true, act: () => onRemove(row) },
      ]),
    ];
  }, [t, i18n.language, onEdit, onRemove]);
};

/** One after the other: those that something names stay, and are named. */
const RemoveSeveral = ({ policies, onClose }: { policies: readonly Policy[]; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = usePolicyCommands();
  return (
    <SeveralDialog
      rows={policies}
      nameOf={(policy) => policy.name}
      destructive
      title={t('policies.deleteSeveral', { count: policies.length })}
      action={t('common.delete')}
      done={t('policies.deletedSeveral', { count: policies.length })}
      act={(policy) => commands.remove(policy._id)}
      onClose={onClose}
    >
      <p>{t('policies.deleteText')}</p>
    </SeveralDialog>
  );
};

/** Refused while a locker or a running occupation names it: then it says so, and what to do. */
const RemoveDialog = ({ policy, onClose }: { policy: Policy; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = usePolicyCommands();
  return (
    <EndDialog
      title={t('policies.deleteTitle', { name: policy.name })}
      action={t('common.delete')}
      act={() => commands.remove(policy._id)}
      done={t('policies.deleted', { name: policy.name })}
      why={(error) => (codeOf(error) === 'in-use-elsewhere' ? t('policies.inUse') : undefined)}
      onClose={onClose}
    >
      <p>{t('policies.deleteText')}</p>
    </EndDialog>
  );
};
