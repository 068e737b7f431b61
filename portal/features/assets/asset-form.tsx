import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { Form } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { type Asset, type AssetInput, assetQuery, useAssetCommands } from './api.ts';
import { AssetFields, type Fields } from './asset-fields.tsx';
import styles from './assets.module.css';
import { DataEditor } from './data-editor.tsx';
import { type DataDraft, dataDraft, dataOf } from './data-model.ts';
import { type IdentifierRow, IdentifiersEditor, identifierRow } from './identifiers-editor.tsx';
import { WhoWaits } from './who-waits.tsx';

type Draft = { fields: Fields; identifiers: IdentifierRow[]; data: DataDraft };
const draftOf = (asset: Asset): Draft => ({
  fields: {
    name: asset.name,
    externalId: asset.externalId ?? '',
    statusLabelId: asset.statusLabelId,
    assetGroupIds: asset.assetGroupIds,
  },
  identifiers: asset.identifiers.map(identifierRow),
  data: dataDraft(asset.data),
});
const inputOf = ({ fields, identifiers, data }: Draft): Omit<AssetInput, 'data'> & Pick<Partial<AssetInput>, 'data'> => {
  const whole = dataOf(data);
  return {
    name: fields.name.trim(),
    externalId: fields.externalId.trim() || null,
    statusLabelId: fields.statusLabelId,
    assetGroupIds: fields.assetGroupIds,
    // A line that was added and not begun is none.
    identifiers: identifiers.map(({ kind, value }) => ({ kind: kind.trim(), value: value.trim() })).filter(({ value }) => value !== ''),
    ...(whole ? { data: whole } : {}),
  };
};

/** The asset as it can be changed: what others change appears in what nobody touches here. */
export const AssetForm = ({ asset, writes }: { asset: Asset; writes: boolean }) => {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const commands = useAssetCommands();
  const begun = useCallback((row: Asset | null) => draftOf(row ?? asset), [asset]);
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    row: asset,
    newest: () => queryClient.fetchQuery({ ...assetQuery(api, asset._id), staleTime: 0 }),
    begun,
    // What cannot be read as data yet was changed too.
    meant: (value) => [inputOf(value), value.data.fault],
    save: (value, version) => commands.change({ ...asset, version }, inputOf(value)),
    onSaved: (saved) => {
      setTried(false);
      toast.ok(t('assets.saved', { name: saved.name }));
    },
  });
  const { value, set: change, dirty } = draft;
  const refused = fieldErrors(draft.error, t);
  const nameless = tried && value.fields.name.trim() === '';
  const submit = (): void => {
    setTried(true);
    if (value.fields.name.trim() !== '' && value.data.fault === null) draft.save();
  };
  // What the server refuses in words of its own field stands at the field; its sentence stands below in any case.
  const pointed = Object.fromEntries(Object.entries(refused).map(([field]) => [field, t('problems.identifier-taken')]));
  const taken = codeOf(draft.error) === 'identifier-taken';
  return (
    <Form className={styles.form} onSubmit={submit}>
      <UnsavedGuard dirty={dirty && writes} />
      <Panel title={t('terms.asset')}>
        <div className={styles.form}>
          <AssetFields
            value={value.fields}
            wrong={{
              ...(nameless ? { name: t('assets.nameNeeded') } : {}),
              ...(taken && refused['externalId'] ? { externalId: t('problems.identifier-taken') } : {}),
            }}
            disabled={!writes}
            onChange={(fields) => change({ fields })}
          />
          <WhoWaits ids={[asset._id]} labelId={value.fields.statusLabelId} />
        </div>
      </Panel>
      <Panel title={t('assets.identifiers')}>
        <IdentifiersEditor
          rows={value.identifiers}
          wrong={taken ? pointed : refused}
          disabled={!writes}
          onChange={(identifiers) => change({ identifiers })}
        />
      </Panel>
      <Panel title={t('assets.data')}>
        <DataEditor draft={value.data} disabled={!writes} onChange={(data) => change({ data })} />
      </Panel>
      <SaveProblem of={draft.conflict} />
      {writes && dirty && (
        <div className={styles.bar}>
          <Button variant="default" onClick={draft.reset}>
            {t('assets.discard')}
          </Button>
          <Button type="submit" loading={draft.saving} disabled={value.data.fault !== null}>
            {t('common.save')}
          </Button>
        </div>
      )}
    </Form>
  );
};
