import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { Roles } from './api.ts';
import { InviteOne, type InviteTyped } from './invite-one.tsx';
import { InviteSeveral } from './invite-several.tsx';

/** One person by e-mail, mobile number or both; or a handful at once, with the same roles. */
export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const [several, setSeveral] = useState(false);
  const [roles, setRoles] = useState<Roles>([]);
  // What was typed for one stands there still when one comes back from several, and the other way round.
  const [typed, setTyped] = useState<InviteTyped>({ email: '', tlf: '', people: '' });
  const Form = several ? InviteSeveral : InviteOne;
  return (
    <FormDialog
      title={t('members.invite')}
      dirty={roles.length > 0 || Object.values(typed).some((one) => one.trim() !== '')}
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        mb="md"
        aria-label={t('members.oneOrSeveral')}
        value={several ? 'several' : 'one'}
        onChange={(next) => setSeveral(next === 'several')}
        data={[
          { value: 'one', label: t('members.onePerson') },
          { value: 'several', label: t('members.several') },
        ]}
      />
      <Form roles={roles} onRoles={setRoles} typed={typed} onTyped={(part) => setTyped((now) => ({ ...now, ...part }))} onClose={onClose} />
    </FormDialog>
  );
};
