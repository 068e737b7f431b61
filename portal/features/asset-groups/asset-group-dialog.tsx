import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type AssetGroup, assetGroupQuery, type AssetGroupInput, useAssetGroupCommands } from './api.ts';
import { AssetGroupFields } from './asset-group-fields.tsx';

type Props = {
  group: AssetGroup | null;
  /** Offered here too: on a phone the row's own button lies beyond the edge. */
  onDelete: (group: AssetGroup) => void;
  onClose: () => void;
};

const begun = (group: AssetGroup | null): AssetGroupInput => ({ name: group?.name ?? '', description: group?.description ?? '' });
const trimmed = (value: AssetGroupInput): AssetGroupInput => ({ name: value.name.trim(), description: value.description.trim() });

/** Makes a group, or changes the one that is given; when it is refused the dialog stays, and with it what was typed. */
export const AssetGroupDialog = ({ group, onDelete, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useAssetGroupCommands();
  const [tried, setTried] = useState(false);
  const now = useRow(assetGroupQuery(useApi(), group?.id ?? 'new'), group);
  const draft = useDraft({
    ...now,
    begun,
    meant: trimmed,
    save: (meant, version) => (group ? commands.change(group.id, { ...trimmed(meant), version }) : commands.create(trimmed(meant))),
    onSaved: ({ name }) => {
      toast.ok(t(group ? 'assetGroups.saved' : 'assetGroups.made', { name }));
      onClose();
    },
  });
  const { value } = draft;
  const typed = trimmed(value);
  const taken = codeOf(draft.error) === 'name-taken';
  const refused = fieldErrors(draft.error, t);
  const wrong = {
    ...refused,
    ...(taken ? { name: t('problems.name-taken') } : {}),
    ...(tried && typed.name === '' ? { name: t('assetGroups.nameNeeded') } : {}),
  };
  const submit = (): void => {
    setTried(true);
    if (typed.name !== '') draft.save();
  };
  return (
    <FormDialog
      title={now.row ? t('assetGroups.change', { name: now.row.name }) : t('assetGroups.make')}
      dirty={draft.dirty}
      saving={draft.saving}
      onClose={onClose}
    >
      <Form onSubmit={submit}>
        <AssetGroupFields value={value} wrong={wrong} onChange={draft.set} />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot saving={draft.saving} remove={group && { label: t('common.delete'), onRemove: () => onDelete(group) }} />
      </Form>
    </FormDialog>
  );
};
