/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot be filtered by a free text beside it */
import { ActionIcon, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBox, IconCircleCheck, IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { tone } from '../../app/sound.ts';
import { useApi } from '../../app/portal.ts';
import { Bones } from '../../ui/panel.tsx';
import { assetsQuery, type Asset } from './api.ts';
import { canScanByCamera, CameraDialog } from './camera-dialog.tsx';
import type { Draft } from './draft.ts';
import { useScanner } from './scanner.ts';
import styles from './service.module.css';

type Props = {
  draft: Draft;
  source: 'tcm' | undefined;
  lacking: boolean;
  onChange: (patch: Partial<Draft>) => void;
  onNext: (patch?: Partial<Draft>) => void;
};

const picked = (asset: Asset): Partial<Draft> => ({ asset: { id: asset._id, name: asset.name }, text: asset.name });

/** Free text, a pick from the list that the text filters, or a scan: whichever is quicker with a parcel in one hand. */
export const AssetStep = ({ draft, source, lacking, onChange, onNext }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const listId = useId();
  const [active, setActive] = useState(-1);
  const [camera, setCamera] = useState(false);
  const search = draft.asset === null ? draft.text.trim() : '';
  const [asked] = useDebouncedValue(search, 160);
  const list = useQuery(assetsQuery(api, asked, source));
  const assets = list.data ?? [];

  const byCode = async (text: string): Promise<Partial<Draft> | undefined> => {
    const exact = await api('GET /assets', { query: { q: { identifier: text }, limit: 2 } }).catch(() => []);
    if (exact.length !== 1 || exact[0] === undefined) return undefined;
    tone('scan');
    return picked(exact[0]);
  };
  const scanned = async (text: string) => {
    onChange({ text, asset: null });
    const patch = await byCode(text);
    if (patch !== undefined) onChange(patch);
  };
  useScanner((text) => void scanned(text));

  const enter = async () => {
    const chosen = assets[active];
    setActive(-1);
    if (chosen !== undefined) return onNext(picked(chosen));
    if (search === '') return onNext();
    // A scanner types the code and Enter faster than the list can follow: it is looked up before going on.
    return onNext(await byCode(search));
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = Math.max(-1, Math.min(active + step, assets.length - 1));
      setActive(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void enter();
  };

  return (
    <div className={styles.narrow}>
      <TextInput
        label={t('occupations.asset.label')}
        description={t('occupations.asset.hint')}
        placeholder={t('occupations.asset.placeholder')}
        size="md"
        value={draft.text}
        onChange={(event) => {
          setActive(-1);
          onChange({ text: event.currentTarget.value, asset: null });
        }}
        onKeyDown={keys}
        data-step-focus
        autoComplete="off"
        maxLength={200}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        error={lacking ? t('occupations.alert.assetText') : undefined}
        rightSection={
          canScanByCamera() && (
            <ActionIcon aria-label={t('occupations.asset.camera')} onClick={() => setCamera(true)}>
              <IconScan aria-hidden />
            </ActionIcon>
          )
        }
      />
      <h3 className={styles.listTitle} id={`${listId}-title`}>
        {t('occupations.asset.list')}
      </h3>
      <div id={listId} role="listbox" aria-labelledby={`${listId}-title`} className={styles.list} hidden={assets.length === 0}>
        {assets.map((asset, index) => (
          // Keys are the field's: the focus stays there while the list is walked.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={asset._id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={draft.asset?.id === asset._id}
            data-active={index === active || undefined}
            className={styles.option}
            onClick={() => onChange(picked(asset))}
          >
            {draft.asset?.id === asset._id ? <IconCircleCheck size={20} aria-hidden /> : <IconBox size={20} aria-hidden />}
            <span className={styles.optionName}>{asset.name}</span>
            <span className={styles.optionMore}>
              {asset.source === 'tcm' ? t('occupations.asset.fromTool') : asset.identifiers.map(({ value }) => value).join(' · ')}
            </span>
          </div>
        ))}
      </div>
      {list.isPending && <Bones lines={4} height={24} />}
      {list.isError && <p className={styles.quiet}>{t('occupations.asset.failed')}</p>}
      {list.isSuccess && assets.length === 0 && (
        <p className={styles.quiet}>{t(asked === '' ? 'occupations.asset.empty' : 'occupations.asset.none')}</p>
      )}
      <output className={styles.hidden}>{draft.asset === null ? '' : t('occupations.asset.picked', { name: draft.asset.name })}</output>
      {camera && (
        <CameraDialog
          onClose={() => setCamera(false)}
          onScan={(text) => {
            setCamera(false);
            void scanned(text);
          }}
        />
      )}
    </div>
  );
};
