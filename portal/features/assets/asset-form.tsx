import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { type Asset, type AssetInput, useAssetCommands } from './api.ts';
import { AssetFields, type Fields } from './asset-fields.tsx';
import styles from './assets.module.css';
import { DataEditor } from './data-editor.tsx';
import { type DataDraft, dataDraft, dataOf } from './data-model.ts';
import { type IdentifierRow, IdentifiersEditor, identifierRow } from './identifiers-editor.tsx';

type Draft = { of: Asset; fields: Fields; identifiers: IdentifierRow[]; data: DataDraft };
const draftOf = (asset: Asset): Draft => ({
  of: asset,
  fields: {
    name: asset.name,
    externalId: asset.externalId ?? '',
    statusLabelId: asset.statusLabelId,
    assetGroupIds: asset.assetGroupIds,
  },
  identifiers: asset.identifiers.map(identifierRow),
  data: dataDraft(asset.data),
});
const inputOf = ({ fields, identifiers, data, of }: Draft): AssetInput => ({
  name: fields.name.trim(),
  externalId: fields.externalId.trim() || null,
  statusLabelId: fields.statusLabelId,
  assetGroupIds: fields.assetGroupIds,
  // A line that was added and not begun is none.
  identifiers: identifiers.map(({ kind, value }) => ({ kind: kind.trim(), value: value.trim() })).filter(({ value }) => value !== ''),
  data: dataOf(data) ?? of.data,
});
/** Whether it would change anything. */
const differs = (draft: Draft): boolean =>
  draft.data.fault !== null || JSON.stringify(inputOf(draft)) !== JSON.stringify(inputOf(draftOf(draft.of)));

/**
 * The asset as it can be changed. While nothing is typed it follows what others change; once something is, it stays, and a save upon an
 * older version is refused and said.
 */
export const AssetForm = ({ asset, writes }: { asset: Asset; writes: boolean }) => {
  const { t } = useTranslation();
  const commands = useAssetCommands();
  const [draft, setDraft] = useState(() => draftOf(asset));
  const [tried, setTried] = useState(false);
  const dirty = differs(draft);
  if (!dirty && draft.of !== asset) setDraft(draftOf(asset));
  const save = useMutation({
    mutationFn: () => commands.change(draft.of, inputOf(draft)),
    onSuccess: (saved) => {
      setDraft(draftOf(saved));
      setTried(false);
      toast.ok(t('assets.saved', { name: saved.name }));
    },
  });
  const change = (patch: Partial<Draft>): void => {
    setDraft({ ...draft, ...patch });
    if (save.isError) save.reset();
  };
  const theirs = (): void => {
    setDraft(draftOf(asset));
    save.reset();
  };
  const refused = fieldErrors(save.error);
  const nameless = tried && draft.fields.name.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (draft.fields.name.trim() !== '' && draft.data.fault === null) save.mutate();
  };
  // What the server refuses in words of its own field stands at the field; its sentence stands below in any case.
  const pointed = Object.fromEntries(Object.entries(refused).map(([field]) => [field, t('problems.identifier-taken')]));
  const taken = codeOf(save.error) === 'identifier-taken';
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <UnsavedGuard dirty={dirty && writes} />
      <Panel title={t('terms.asset')}>
        <div className={styles.form}>
          <AssetFields
            value={draft.fields}
            wrong={{
              ...(nameless ? { name: t('assets.nameNeeded') } : {}),
              ...(taken && refused['externalId'] ? { externalId: t('problems.identifier-taken') } : {}),
            }}
            disabled={!writes}
            onChange={(fields) => change({ fields })}
          />
        </div>
      </Panel>
      <Panel title={t('assets.identifiers')}>
        <IdentifiersEditor
          rows={draft.identifiers}
          wrong={taken ? pointed : refused}
          disabled={!writes}
          onChange={(identifiers) => change({ identifiers })}
        />
      </Panel>
      <Panel title={t('assets.data')}>
        <DataEditor draft={draft.data} disabled={!writes} onChange={(data) => change({ data })} />
      </Panel>
      {save.isError &&
        (codeOf(save.error) === 'stale' ? (
          <div role="alert">
            <p className={styles.wrong}>{t('assets.stale')}</p>
            <p className={styles.quiet}>{t('assets.staleText')}</p>
            <Button variant="default" size="xs" onClick={theirs}>
              {t('assets.takeTheirs')}
            </Button>
          </div>
        ) : (
          <ProblemNote error={save.error} />
        ))}
      {writes && dirty && (
        <div className={styles.bar}>
          <Button variant="default" onClick={theirs}>
            {t('assets.discard')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={draft.data.fault !== null}>
            {t('common.save')}
          </Button>
        </div>
      )}
    </form>
  );
};
