import { ActionIcon, Button, SegmentedControl, TextInput, Textarea } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './assets.module.css';
import { type DataDraft, type DataFault, withField, withJson, withRows } from './data-model.ts';

type Props = { draft: DataDraft; disabled: boolean; onChange: (draft: DataDraft) => void };

/** The same data as fields and as JSON; what is written in one is there in the other. */
export const DataEditor = ({ draft, disabled, onChange }: Props) => {
  const { t } = useTranslation();
  const [as, setAs] = useState<'fields' | 'json'>('fields');
  const list = useRef<HTMLUListElement>(null);
  const wrong = draft.fault && <FaultNote fault={draft.fault} />;
  return (
    <div className={styles.form}>
      <SegmentedControl
        aria-label={t('assets.dataAs')}
        value={as}
        onChange={(next) => setAs(next === 'json' ? 'json' : 'fields')}
        data={[
          { value: 'fields', label: t('assets.asFields') },
          { value: 'json', label: t('assets.asJson') },
        ]}
      />
      {as === 'json' ? (
        <Textarea
          className={styles.json ?? ''}
          aria-label={t('assets.asJson')}
          value={draft.json}
          error={wrong}
          readOnly={disabled}
          autosize
          minRows={6}
          maxRows={24}
          spellCheck={false}
          onChange={(event) => onChange(withJson(draft, event.currentTarget.value))}
        />
      ) : (
        <>
          {draft.rows.length === 0 && <p className={styles.quiet}>{t('assets.noFields')}</p>}
          <ul className={styles.lines} ref={list}>
            {draft.rows.map((row, at) => {
              const name = row.key || t('assets.fieldNumber', { number: at + 1 });
              const change = (patch: Partial<typeof row>): void =>
                onChange(
                  withRows(
                    draft,
                    draft.rows.map((one) => (one.id === row.id ? { ...one, ...patch } : one)),
                  ),
                );
              return (
                <li key={row.id} className={styles.line}>
                  <TextInput
                    aria-label={`${t('assets.field')} ${at + 1}`}
                    placeholder={t('assets.field')}
                    value={row.key}
                    readOnly={disabled}
                    maxLength={100}
                    onChange={(event) => change({ key: event.currentTarget.value })}
                  />
                  <TextInput
                    aria-label={`${t('assets.content')}: ${name}`}
                    placeholder={t('assets.content')}
                    value={row.text}
                    readOnly={disabled}
                    onChange={(event) => change({ text: event.currentTarget.value })}
                  />
                  {!disabled && (
                    <ActionIcon
                      variant="subtle"
                      size={36}
                      aria-label={t('assets.removeField', { name })}
                      onClick={() =>
                        onChange(
                          withRows(
                            draft,
                            draft.rows.filter((one) => one.id !== row.id),
                          ),
                        )
                      }
                    >
                      <IconX size={18} aria-hidden />
                    </ActionIcon>
                  )}
                </li>
              );
            })}
          </ul>
          {wrong && (
            <p className="hw-wrong" role="alert">
              {wrong}
            </p>
          )}
          {!disabled && (
            <div>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => {
                  onChange(withField(draft));
                  // The new field stands there after this change is drawn.
                  requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
                }}
              >
                {t('assets.addField')}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
};

const FaultNote = ({ fault }: { fault: DataFault }) => {
  const { t } = useTranslation();
  switch (fault.kind) {
    case 'object':
      return t('assets.notObject');
    case 'json':
      return t('assets.notJson', { why: fault.why });
    case 'twice':
      return t('assets.fieldTwice', { name: fault.name });
    case 'nameless':
      return t('assets.fieldNameless');
  }
};
