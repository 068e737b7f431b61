import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { policyQuery, usePolicyCommands, type Policy } from './api.ts';
import { draftOf, inputOf, LIMIT_NAMES, LIMITS, limitFits, priceFits, REF } from './draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import styles from './policies.module.css';

/** Makes a policy or changes one; a refusal leaves the form as it stands. */
export const PolicyDialog = ({ policy, onClose }: { policy: Policy | null; onClose: () => void }) => {
  const { t, i18n } = useTranslation();
  const commands = usePolicyCommands();
  const [tried, setTried] = useState(false);
  const now = useRow(policyQuery(useApi(), policy?._id ?? 'new'), policy);
  const begun = useCallback((row: Policy | null) => draftOf(row, i18n.language), [i18n.language]);
  const draft = useDraft({
    ...now,
    begun,
    save: (meant, version) => (policy ? commands.change(policy._id, { ...inputOf(meant), version }) : commands.create(inputOf(meant))),
    onSaved: ({ name }) => {
      toast.ok(t(policy ? 'policies.saved' : 'policies.made', { name }));
      onClose();
    },
  });
  const { value } = draft;
  const own: Record<string, string> = {
    ...(value.name.trim() === '' ? { name: t('policies.nameNeeded') } : {}),
    ...(REF.test(value.ref) ? {} : { ref: t('policies.refNeeded') }),
    ...(priceFits(value) ? {} : { price: t('storefront.wrongPrice') }),
    ...Object.fromEntries(
      LIMIT_NAMES.filter((limit) => !limitFits(limit, value.limits[limit])).map((limit) => [limit, t('policies.between', LIMITS[limit])]),
    ),
  };
  const taken = codeOf(draft.error) === 'name-taken';
  const wrong = { ...fieldErrors(draft.error, t), ...(taken ? { ref: t('policies.refTaken') } : {}), ...(tried ? own : {}) };
  const submit = (): void => {
    setTried(true);
    if (Object.keys(own).length === 0) draft.save();
  };
  return (
    <FormDialog
      title={now.row ? t('policies.change', { name: now.row.name }) : t('policies.make')}
      dirty={draft.dirty}
      saving={draft.saving}
      size="lg"
      long
      onClose={onClose}
    >
      <Form onSubmit={submit} className={styles.form}>
        <PolicyFields value={value} isNew={policy === null} wrong={wrong} onChange={draft.set} />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
