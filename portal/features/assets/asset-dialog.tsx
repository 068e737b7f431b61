import { Anchor, Button, Pill, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { tone } from '../../app/sound.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Asset, type AssetInput, carrierOf, labelsQuery, useAssetCommands } from './api.ts';
import { AssetFields, type Fields } from './asset-fields.tsx';
import styles from './assets.module.css';

const EMPTY: Fields = { name: '', externalId: '', statusLabelId: null, assetGroupIds: [] };

/** The kind that a code says of itself: 13 digits are an EAN. */
const kindOf = (code: string): string => (/^\d{13}$/.test(code) ? 'ean' : /^\d{8}$/.test(code) ? 'ean8' : 'barcode');

/**
 * Registers a thing. The first field takes the scanner's code and its Enter, so a pile of things is worked through with scan, name, Enter.
 * When it is refused the dialog stays, and with it what was typed.
 */
export const AssetDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useAssetCommands();
  const standard = useQuery(labelsQuery(api)).data?.find((label) => label.default_label)?.id ?? null;
  const [chosen, setChosen] = useState<Fields | null>(null);
  const fields = chosen ?? { ...EMPTY, statusLabelId: standard };
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<string[]>([]);
  const [carrier, setCarrier] = useState<Asset | null>(null);
  const [tried, setTried] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  /** It was sent by the button that goes on to the next. */
  const forNext = useRef(false);
  const input = (all: string[]): AssetInput => ({
    name: fields.name.trim(),
    externalId: fields.externalId.trim() || null,
    statusLabelId: fields.statusLabelId,
    assetGroupIds: fields.assetGroupIds,
    identifiers: all.map((value) => ({ kind: kindOf(value), value })),
  });
  const save = useMutation({
    mutationFn: ({ all }: { all: string[]; next: boolean }) => commands.create(input(all)),
    onSuccess: (asset, { next }) => {
      toast.ok(t('assets.made', { name: asset.name }));
      if (!next) return onClose();
      // Label and groups stay: a pile is mostly of one kind.
      setChosen({ ...fields, name: '', externalId: '' });
      setCodes([]);
      setTried(false);
      codeField.current?.focus();
      return undefined;
    },
  });
  const withCode = (): string[] => {
    const typed = code.trim();
    return typed === '' || codes.includes(typed) ? codes : [...codes, typed];
  };
  const take = async (): Promise<void> => {
    const all = withCode();
    const typed = code.trim();
    setCode('');
    if (all.length === codes.length) return;
    tone('scan');
    const found = await carrierOf(api, typed).catch(() => null);
    setCarrier(found);
    if (found) return codeField.current?.focus();
    setCodes(all);
    form.current?.querySelectorAll('input')[1]?.focus();
    return undefined;
  };
  const submit = (): void => {
    const next = forNext.current;
    forNext.current = false;
    setTried(true);
    if (fields.name.trim() === '') return;
    const all = withCode();
    setCodes(all);
    setCode('');
    save.mutate({ all, next });
  };
  // Label and groups may be kept from the thing before: they are no loss.
  const typing = [code, ...codes, fields.name, fields.externalId].some((one) => one.trim() !== '');
  const refused = fieldErrors(save.error, t);
  const wrong = {
    ...(refused['externalId'] ? { externalId: refused['externalId'] } : {}),
    ...(tried && fields.name.trim() === '' ? { name: t('assets.nameNeeded') } : {}),
  };
  return (
    <FormDialog title={t('assets.make')} dirty={typing} saving={save.isPending} onClose={onClose}>
      <Form ref={form} className={styles.form} onSubmit={submit}>
        <div>
          <TextInput
            ref={codeField}
            label={t('assets.code')}
            description={t('assets.codeHint')}
            value={code}
            maxLength={200}
            autoComplete="off"
            data-autofocus
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setCarrier(null);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || code.trim() === '') return;
              event.preventDefault();
              void take();
            }}
          />
          {carrier && (
            <p className="hw-wrong" role="alert">
              {t('assets.codeKnown', { name: carrier.name })}{' '}
              <Anchor renderRoot={(props) => <Link {...props} to="/manage/assets/$id" params={{ id: carrier._id }} />}>
                {t('assets.showIt', { name: carrier.name })}
              </Anchor>
            </p>
          )}
        </div>
        {codes.length > 0 && (
          <ul className={styles.codes}>
            {codes.map((one) => (
              <li key={one}>
                <Pill
                  withRemoveButton
                  size="md"
                  removeButtonProps={{ 'aria-label': t('assets.removeIdentifier', { value: one }), 'aria-hidden': false, tabIndex: 0 }}
                  onRemove={() => setCodes(codes.filter((other) => other !== one))}
                >
                  {one}
                </Pill>
              </li>
            ))}
          </ul>
        )}
        <AssetFields value={fields} wrong={wrong} onChange={setChosen} />
        {save.isError && <ProblemNote error={save.error} />}
        <FormFoot saving={save.isPending}>
          <Button
            variant="default"
            loading={save.isPending}
            onClick={() => {
              forNext.current = true;
              form.current?.requestSubmit();
            }}
          >
            {t('assets.makeNext')}
          </Button>
        </FormFoot>
      </Form>
    </FormDialog>
  );
};
