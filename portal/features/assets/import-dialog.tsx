import { FILE_PROBLEMS } from '@hatchway/contract/csv.ts';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconFileSpreadsheet, IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dataOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Imported, useAssetCommands } from './api.ts';
import styles from './assets.module.css';

const SHOWN = 200;
const FATES = {
  made: [IconCircleCheck, 'ok'],
  changed: [IconPencil, 'accent'],
  unchanged: [IconCircleMinus, 'plain'],
  refused: [IconCircleX, 'bad'],
} as const;
const ORDER = ['refused', 'made', 'changed', 'unchanged'] as const;

/** A file is looked at first: what would happen to each row is read before anything is written, and then it happens wholly or not at all. */
const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useAssetCommands();
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [file, setFile] = useState<File | null>(null);
  const look = useMutation({ mutationFn: (one: File) => commands.import(one, true) });
  const run = useMutation({
    mutationFn: (one: File) => commands.import(one, false),
    onSuccess: ({ made, changed }) => {
      toast.ok(t('assets.import.done', { made, changed }));
      onClose();
    },
  });
  const choose = (one: File): void => {
    setFile(one);
    run.reset();
    look.mutate(one);
  };
  const told = look.data;
  const count = told ? told.made + told.changed : 0;
  return (
    <Dialog onClose={onClose} size="xl" fullScreen={phone} title={t('assets.import.title')} closeOnClickOutside={false}>
      <div className={styles.form}>
        <div>
          <FileDrop
            title={
              look.isPending && file
                ? t('assets.import.reading', { name: file.name })
                : t(told ? 'assets.import.another' : 'assets.import.drop')
            }
            text={t('assets.import.dropText')}
            accept=".csv,text/csv,text/plain"
            icon={<IconFileSpreadsheet size={24} stroke={1.6} aria-hidden />}
            busy={look.isPending || run.isPending}
            onFile={choose}
          />
        </div>
        {look.isError && <Refused error={look.error} />}
        {told && <Told told={told} name={file?.name ?? ''} />}
        {run.isError && <Refused error={run.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            disabled={!told || told.refused > 0 || count === 0}
            loading={run.isPending}
            onClick={() => {
              if (file) run.mutate(file);
            }}
          >
            {count === 0 ? t('assets.import.button') : t('assets.import.run', { count })}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
};
export default ImportDialog;

/** Of a file that was not read at all, what to do about it. */
const Refused = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  const { file, value } = dataOf(error);
  const why = FILE_PROBLEMS.find((one) => one === file);
  const about = why === 'column-twice' ? wordOf(t, String(value)) : String(value);
  return <ProblemNote error={error} {...(why ? { title: t(`assets.import.files.${why}`, { value: about }) } : {})} />;
};

const Told = ({ told, name }: { told: Imported; name: string }) => {
  const { t } = useTranslation();
  const rows = told.rows.toSorted((a, b) => ORDER.indexOf(a.fate) - ORDER.indexOf(b.fate) || a.line - b.line).slice(0, SHOWN);
  return (
    <>
      <output>
        <span className={styles.sums}>
          <span>{name}:</span>
          {ORDER.filter((fate) => told[fate] > 0).map((fate) => (
            <span key={fate}>{t(`assets.import.${fate}`, { count: told[fate] })}</span>
          ))}
        </span>
        <span className={styles.quiet}>
          {t(
            told.refused > 0
              ? 'assets.import.mustMend'
              : told.rows.length === 0
                ? 'assets.import.noRows'
                : told.made + told.changed === 0
                  ? 'assets.import.nothingToDo'
                  : 'assets.import.nothingYet',
          )}
        </span>
        <Columns columns={told.columns} />
      </output>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <section className={styles.scroll} tabIndex={0} aria-label={t('assets.import.fate')}>
        <table className={styles.plain}>
          <thead>
            <tr>
              <th>{t('assets.import.line')}</th>
              <th>{t('assets.name')}</th>
              <th>{t('assets.import.fate')}</th>
              <th>{t('assets.import.why')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const [icon, tone] = FATES[row.fate];
              return (
                <tr key={row.line}>
                  <td>{row.line}</td>
                  <td>{row.name || '–'}</td>
                  <td>
                    <StateBadge icon={icon} tone={tone} word={t(`assets.import.fates.${row.fate}`)} />
                  </td>
                  <td>
                    {row.problems
                      .map((one) => [one.column, t(`assets.import.problems.${one.code}`, { value: one.value })].filter(Boolean).join(': '))
                      .join(' ')}
                    {row.changes.map((field) => (field === 'data' ? t('assets.data').toLowerCase() : wordOf(t, field))).join(', ')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {told.rows.length > rows.length && (
        <p className={styles.quiet}>{t('assets.import.shown', { shown: rows.length, count: told.rows.length })}</p>
      )}
      <details>
        <summary>{t('assets.import.columns')}</summary>
        <table className={styles.plain}>
          <thead>
            <tr>
              <th>{t('assets.import.column')}</th>
              <th>{t('assets.import.readAs')}</th>
            </tr>
          </thead>
          <tbody>
            {told.columns.map(({ header, as }, at) => (
              // two may be without a name
              <tr key={`${at} ${header}`}>
                <td>{header || '–'}</td>
                <td>{as === null ? t('assets.import.leftAlone') : wordOf(t, as)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
};

/** Columns that are not read, and those that were no field of ours: one that was meant as a field is seen before anything is written. */
const Columns = ({ columns }: { columns: Imported['columns'] }) => {
  const { t } = useTranslation();
  const nameOf = (header: string, at: number): string =>
    header === '' ? t('assets.import.nameless', { number: at + 1 }) : t('assets.import.quoted', { header });
  const named = (fits: (as: string | null) => boolean): string =>
    columns.flatMap(({ header, as }, at) => (fits(as) ? [nameOf(header, at)] : [])).join(', ');
  const left = named((as) => as === null);
  const details = named((as) => as?.startsWith('data.') ?? false);
  return (
    <>
      {left !== '' && <span className={styles.quiet}>{t('assets.import.notRead', { names: left })}</span>}
      {details !== '' && <span className={styles.quiet}>{t('assets.import.asDetails', { names: details })}</span>}
    </>
  );
};

const FIELDS = ['id', 'name', 'externalId', 'identifiers', 'statusLabel', 'assetGroups', 'data'] as const;
/** A field as the server names it (`statusLabelId` where it changed, `data.volts` where it is read) in words. */
const wordOf = (t: TFunction, field: string): string => {
  const known = FIELDS.find((one) => one === field || `${one}Id` === field || `${one.replace(/s$/, '')}Ids` === field);
  if (known) return t(`assets.import.fields.${known}`);
  const [kind, ...rest] = field.split('.');
  return t(kind === 'identifier' ? 'assets.import.asIdentifier' : 'assets.import.asDetail', { name: rest.join('.') });
};
