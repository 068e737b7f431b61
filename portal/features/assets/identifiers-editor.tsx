import { scannedText } from '@hatchway/domain/scanned.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './assets.module.css';

export type IdentifierRow = { id: number; kind: string; value: string };
type Props = { rows: IdentifierRow[]; wrong: Record<string, string>; disabled: boolean; onChange: (rows: IdentifierRow[]) => void };

let last = 0;
export const identifierRow = ({ kind, value }: { kind: string; value: string }): IdentifierRow => ({ id: (last += 1), kind, value });

/** What it is scanned by. A scanner types into the value and ends with Enter, which adds the next line instead of saving. */
export const IdentifiersEditor = ({ rows, wrong, disabled, onChange }: Props) => {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const add = (before = rows): void => {
    onChange([...before, identifierRow({ kind: rows.at(-1)?.kind ?? 'barcode', value: '' })]);
    // The new line stands there after this change is drawn.
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input:last-of-type')?.focus());
  };
  return (
    <div className={styles.form}>
      {rows.length === 0 && <p className={styles.quiet}>{t('assets.noIdentifiers')}</p>}
      <ul className={styles.lines} ref={list}>
        {rows.map((row, at) => {
          const change = (patch: Partial<IdentifierRow>): void =>
            onChange(rows.map((one) => (one.id === row.id ? { ...one, ...patch } : one)));
          const field = (name: 'kind' | 'value') => ({
            'aria-label': `${t(`assets.${name}`)} ${at + 1}`,
            placeholder: t(`assets.${name}`),
            value: row[name],
            readOnly: disabled,
            error: wrong[`identifiers.${at}.${name}`] ?? (name === 'value' ? wrong[`identifiers.${at}`] : undefined),
            maxLength: name === 'kind' ? 40 : 200,
            onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
          });
          return (
            <li key={row.id} className={styles.line}>
              <TextInput {...field('kind')} />
              <TextInput
                {...field('value')}
                autoComplete="off"
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || row.value.trim() === '') return;
                  event.preventDefault();
                  add(rows.map((one) => (one.id === row.id ? { ...one, value: scannedText(row.value).text } : one)));
                }}
              />
              {!disabled && (
                <ActionIcon
                  variant="subtle"
                  size={36}
                  aria-label={t('assets.removeIdentifier', { value: row.value || String(at + 1) })}
                  onClick={() => onChange(rows.filter((one) => one.id !== row.id))}
                >
                  <IconX size={18} aria-hidden />
                </ActionIcon>
              )}
            </li>
          );
        })}
      </ul>
      {!disabled && (
        <div>
          <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add()}>
            {t('assets.addIdentifier')}
          </Button>
        </div>
      )}
    </div>
  );
};
