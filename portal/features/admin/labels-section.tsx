import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { useSeveral } from '../../ui/several.tsx';
import { actsColumn } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable, type PagesOf } from '../../ui/table/data-table.tsx';
import { compact, parseListSearch } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import styles from './admin.module.css';
import { type StatusLabel, useLabelCommands } from './api.ts';
import { LabelDialog } from './label-dialog.tsx';
import { SectionHead } from './section-head.tsx';
import type { SectionProps } from './section.ts';

type Open = { make: true } | { change: StatusLabel } | { remove: StatusLabel } | null;

/** Each word begins one of the label's. A company has a dozen of them: they are read whole, and looked through here. */
const fits = (label: StatusLabel, find: string, kind: string): boolean => {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const own = wordsOf(`${label.name} ${label.notes ?? ''} ${kind}`);
  return wordsOf(find).every((word) => own.some((one) => one.startsWith(word)));
};

/** What state an asset can be in, in the company's own words; the type behind the word decides whether it may be lent. */
const LabelsSection = ({ search: raw, onSearch }: SectionProps) => {
  const { t } = useTranslation();
  const api = useApi();
  const search = parseListSearch(raw);
  const { find = '' } = search;
  const labels = useQuery({ queryKey: ['label-carriers', 'list'], queryFn: ({ signal }) => api('GET /statuslabels', { signal }) });
  const [open, setOpen] = useState<Open>(null);
  const [edit] = useState(() => (label: StatusLabel) => setOpen({ change: label }));
  const [remove] = useState(() => (label: StatusLabel) => setOpen({ remove: label }));
  const several = useSeveral<StatusLabel>(t('common.delete'));
  const close = (): void => setOpen(null);
  const pages: PagesOf<StatusLabel> = useCallback(
    () => ({
      queryKey: ['label-carriers', 'pages', { find }],
      queryFn: async ({ signal }) => {
        const all = await api('GET /statuslabels', { signal });
        const rows = all.filter((label) =>
          fits(label, find, `${t(`admin.labelType.${label.type}`)} ${t(`admin.labelMeans.${label.type}`)}`),
        );
        return { rows, next: null, total: rows.length };
      },
    }),
    [api, find, t],
  );
  const columns = useColumns(edit, remove);
  const look = (change: typeof search): void => onSearch(compact({ ...search, ...change }));
  const create = <MakeButton word={t('admin.makeLabel')} onClick={() => setOpen({ make: true })} />;
  return (
    <>
      <SectionHead title={t('admin.sections.labels')} intro={t('admin.labelsIntro')} actions={create} />
      <DataTable<StatusLabel>
        label={t('admin.sections.labels')}
        columns={columns}
        pages={pages}
        search={search}
        onSearch={look}
        defaultSort=""
        searchable={t('admin.searchLabels')}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        rowStamp={(row) => row.version}
        onOpen={edit}
        filtered={find !== ''}
        onClear={() => look({ find: undefined })}
        empty={{ title: t('admin.noLabels'), text: t('admin.labelsIntro'), action: create }}
        bulk={several.bulk}
      />
      {open && 'make' in open && <LabelDialog label={null} onClose={close} />}
      {open && 'change' in open && (
        // As it stands now: somebody else may change it while it is looked at.
        <LabelDialog key={open.change.id} label={labels.data?.find(({ id }) => id === open.change.id) ?? open.change} onClose={close} />
      )}
      {open && 'remove' in open && (
        <DeleteLabel label={labels.data?.find(({ id }) => id === open.remove.id) ?? open.remove} onClose={close} />
      )}
      {several.rows && <DeleteSeveral labels={several.rows} onClose={several.close} />}
    </>
  );
};
export default LabelsSection;

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const nameCell = (row: StatusLabel) => (
  <>
    <span className={styles.dot} style={{ background: row.color ?? 'var(--hw-steel)' }} aria-hidden /> <strong>{row.name}</strong>
  </>
);

const useColumns = (onEdit: (label: StatusLabel) => void, onRemove: (label: StatusLabel) => void) => {
  const { t } = useTranslation();
  return useMemo((): Column<StatusLabel>[] => {
    const meaning = (row: StatusLabel): string =>
      [t(`admin.labelMeans.${row.type}`), row.default_label && t('admin.isDefault'), row.show_in_nav && t('admin.isShown')]
        .filter(Boolean)
        .join(' · ');
    return [
      { id: 'name', header: t('admin.labelName'), cell: nameCell, text: (row) => row.name },
      { id: 'type', header: t('admin.labelKind'), cell: (row) => <span className={styles.means}>{meaning(row)}</span>, text: meaning },
      { id: 'notes', header: t('admin.notes'), text: (row) => row.notes },
      { id: 'assets', header: t('admin.labelCarriers'), width: 110, text: (row) => row.assets_count },
      actsColumn(t, (row) => [
        { icon: IconPencil, name: t('admin.changeLabel', { name: row.name }), act: () => onEdit(row) },
        { icon: IconTrash, name: t('admin.deleteLabel', { name: row.name }), ends: true, act: () => onRemove(row) },
      ]),
    ];
  }, [t, onEdit, onRemove]);
};

/** One after the other: those that an asset carries stay, and are named. */
const DeleteSeveral = ({ labels, onClose }: { labels: readonly StatusLabel[]; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useLabelCommands();
  return (
    <SeveralDialog
      rows={labels}
      nameOf={(label) => label.name}
      destructive
      title={t('admin.deleteLabels', { count: labels.length })}
      action={t('common.delete')}
      done={t('admin.labelsDeleted', { count: labels.length })}
      act={(label) => commands.remove(label.id)}
      onClose={onClose}
    >
      <p>{t('admin.deleteLabelsText')}</p>
    </SeveralDialog>
  );
};

const DeleteLabel = ({ label, onClose }: { label: StatusLabel; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLabelCommands();
  return (
    <EndDialog
      title={t('admin.deleteLabelTitle', { name: label.name })}
      action={t('common.delete')}
      act={() => commands.remove(label.id)}
      done={t('admin.labelDeleted', { name: label.name })}
      blocked={label.default_label || label.assets_count > 0}
      why={(error) => (codeOf(error) === 'rule' ? t('admin.lastLabel') : undefined)}
      onClose={onClose}
    >
      {label.default_label
        ? t('admin.labelIsDefault')
        : label.assets_count > 0
          ? t('admin.labelInUse', { count: label.assets_count })
          : t('admin.labelUnused')}
    </EndDialog>
  );
};
