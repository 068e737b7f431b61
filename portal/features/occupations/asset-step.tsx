/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot be filtered by a free text beside it */
import { ActionIcon, Alert, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBox, IconCircleCheck, IconPlugConnectedX, IconScan } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { scannedText } from '@hatchway/domain/scanned.ts';
import { nothingScanned, scanKey } from '../../app/scans.ts';
import { tone } from '../../app/sound.ts';
import { useApi } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import { Bones } from '../../ui/panel.tsx';
import { usesQuery } from '../assets/api.ts';
import { assetsQuery, inUseQuery, statusLabelsQuery, usesOfQuery, type Asset } from './api.ts';
import { CameraDialog } from './camera-dialog.tsx';
import { canScanByCamera } from './code-reader.ts';
import { deadline, shortTime } from '../../app/dates.ts';
import { FAULT_ID, type Draft, type Field } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { pieces } from './numbers.ts';
import { holderOf } from './holder-of.ts';
import { InUseNote } from './in-use.tsx';
import { inOrder, keptIn, stepFrom, type KeptIn } from './kept-in.ts';
import type { Plan } from './plan.ts';
import { ToolNote, toolWord } from './tool-note.tsx';
import { useScanner } from './scanner.ts';
import styles from './service.module.css';

type Props = {
  draft: Draft;
  plan: Plan;
  lacking: boolean;
  wrong: readonly Field[];
  onChange: (patch: Partial<Draft>) => void;
  onNext: (patch?: Partial<Draft>) => void;
};

/** What keeps each thing of the list, and, of any thing, what bars it. */
const useKeptIn = ({ type }: Plan, assets: readonly Asset[], held: readonly string[]) => {
  const api = useApi();
  const queryClient = useQueryClient();
  const lends = type === 'lending';
  const labels = useQuery({ ...statusLabelsQuery(api), enabled: lends }).data ?? [];
  const ids = assets.map(({ _id }) => _id);
  const listed = useQuery({ ...usesOfQuery(api, ids), enabled: type !== 'recall' && ids.length > 0 });
  const inUse = useQuery({ ...inUseQuery(api, type, ids), enabled: type !== 'recall' && ids.length > 0 }).data;
  const of = (asset: Asset) => keptIn(type, asset, listed.data ?? [], labels, inUse);
  const bars = async (asset: Asset): Promise<KeptIn | null> => {
    const read = listed.data !== undefined && !listed.isPlaceholderData && ids.includes(asset._id);
    // Whatever else keeps it is asked about before it goes on.
    const uses = !lends ? [] : read ? listed.data : await queryClient.fetchQuery(usesQuery(api, asset._id)).catch(() => []);
    const why = keptIn(type, asset, uses, labels);
    return why?.barred === true ? why : null;
  };
  const sorted = inOrder(assets, (asset) => of(asset) !== null, held);
  return { of, bars, sorted };
};

const picked = (asset: Asset): Partial<Draft> => ({ asset: { id: asset._id, name: asset.name }, text: asset.name });

/** Free text, a pick from the list that the text filters, or a scan: whichever is quicker with a parcel in one hand. */
export const AssetStep = ({ draft, plan, lacking, wrong, onChange, onNext }: Props) => {
  const { t } = useTranslation();
  const zone = useZone();
  const api = useApi();
  const queryClient = useQueryClient();
  const listId = useId();
  const [active, setActive] = useState<string | null>(null);
  // The rows as they stood when somebody first used the list of what was asked for: what is heard later moves none of them.
  const [held, setHeld] = useState<{ of: string; ids: readonly string[] } | null>(null);
  const [camera, setCamera] = useState(false);
  const search = draft.asset === null ? draft.text.trim() : '';
  const [asked] = useDebouncedValue(search, 160);
  const [kept, setKept] = useState<(KeptIn & { name: string }) | null>(null);
  // What is out is what can be recalled; anything else has to be looked for.
  const lent = asked === '' && plan.assets === 'lendable' ? false : undefined;
  const out = asked === '' && plan.assets === 'held' ? true : undefined;
  const list = useQuery(assetsQuery(api, { search: asked, source: plan.assetSource, lent, out }));
  const fromTool = useQuery({ ...assetsQuery(api, { search: '', source: plan.assetSource }), enabled: plan.assetSource !== undefined });
  const burst = useRef(nothingScanned);
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  const field = useRef<HTMLInputElement>(null);
  // Another scan or word takes the place of what was picked; it is not added to its name.
  useEffect(() => {
    // Only where one types already: it would take the focus along.
    if (draft.asset !== null && document.activeElement === field.current) field.current?.select();
  }, [draft.asset]);
  const keeps = useKeptIn(plan, list.data ?? [], held?.of === asked ? held.ids : []);
  const assets = keeps.sorted;
  const sole = search !== '' && asked === search && !list.isPlaceholderData && assets.length === 1 ? assets[0] : undefined;
  const marked = active ?? sole?._id ?? null;
  const hold = () => {
    if (held?.of !== asked && !list.isPlaceholderData && assets.length > 0) setHeld({ of: asked, ids: assets.map(({ _id }) => _id) });
  };

  /** A thing that somebody has brings that person along. */
  const take = async (asset: Asset): Promise<Partial<Draft> | undefined> => {
    const why = await keeps.bars(asset);
    setKept(why === null ? null : { name: asset.name, ...why });
    if (why !== null) return undefined;
    const receiver = plan.assets === 'held' ? await holderOf(api, asset) : null;
    return receiver === null ? picked(asset) : { ...picked(asset), receiver };
  };
  const choose = async (asset: Asset) => {
    const patch = await take(asset);
    if (patch !== undefined) onChange(patch);
  };

  const byCode = async (text: string): Promise<Partial<Draft> | 'kept' | 'unasked' | undefined> => {
    const exact = await api('GET /assets', { query: { q: { identifier: scannedText(text).text }, limit: 2 } }).catch(() => null);
    // What could not be asked is not known: a thing that may not go out would go on as a free text.
    if (exact === null) return 'unasked';
    if (exact.length !== 1 || exact[0] === undefined) return undefined;
    tone('scan');
    return (await take(exact[0])) ?? 'kept';
  };
  /** What may not go out leaves the field empty for the next one: else its code or name would go on as a free text. */
  const refuse = () => onChange({ text: '', asset: null });
  const scanned = async (text: string) => {
    onChange({ text, asset: null });
    const patch = await byCode(text);
    if (patch === 'kept') refuse();
    else if (patch === 'unasked') void list.refetch();
    else if (patch !== undefined) onChange(patch);
  };
  useScanner((text) => void scanned(text));

  /** The one that what was typed can mean, though the list may not have followed it yet. */
  const onlyOne = async (typed: string): Promise<Asset | undefined> => {
    const [one, ...more] = await queryClient.fetchQuery(assetsQuery(api, { search: typed, source: plan.assetSource })).catch(() => []);
    return more.length === 0 ? one : undefined;
  };
  const enter = async (isScan: boolean) => {
    const chosen = assets.find(({ _id }) => _id === active);
    setActive(null);
    if (chosen !== undefined) {
      const patch = await take(chosen);
      return patch === undefined ? refuse() : onNext(patch);
    }
    if (search === '') return onNext();
    // A scanner types the code and Enter faster than the list can follow: it is looked up before going on.
    const patch = await byCode(search);
    // It stays where it is, and the list says that it could not be asked.
    if (patch === 'unasked') return void list.refetch();
    // What may not go out stands in the way.
    if (patch === 'kept') return refuse();
    // A code means the whole of it, words the thing that they begin. Else it is what was meant to be written.
    const one = patch === undefined && !isScan ? await onlyOne(search) : undefined;
    if (one === undefined) return onNext(patch);
    if (latest.current !== search) return undefined;
    const only = await take(one);
    if (one.name.toLowerCase() === search.toLowerCase()) return only === undefined ? refuse() : onNext(only);
    // It may be another thing that is called alike: it is read before the next Enter goes on with it.
    return only === undefined ? undefined : onChange(only);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { state, scan } = scanKey(burst.current, event.key, event.timeStamp);
    burst.current = state;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      hold();
      const next = stepFrom(assets, active, event.key === 'ArrowDown' ? 1 : -1);
      setActive(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void enter(scan !== null);
  };

  const aside = (asset: Asset): string => {
    if (asset.holder !== null)
      return t('occupations.asset.heldBy', { name: asset.holder.name, time: deadline(asset.dueAt, zone, shortTime) });
    const why = keeps.of(asset);
    if (why !== null) return t(`occupations.asset.keeps.${why.why}`, { tag: why.tag, time: deadline(asset.dueAt, zone, shortTime) });
    const there = toolWord(asset);
    if (there !== null) return t(`occupations.asset.${there}`);
    return asset.source === 'tcm' ? t('occupations.asset.fromTool') : asset.identifiers.map(({ value }) => value).join(' · ');
  };

  // What Enter does is said once, and where one types.
  const takes = sole !== undefined && keeps.of(sole)?.barred !== true ? sole : undefined;
  // Typed numbers: it would want a refill as soon as it is put in.
  const [put, level] = [pieces(draft.quantity, 1), pieces(draft.refillLevel, 0)];
  const lowAtOnce = put !== null && level !== null && level >= put;

  return (
    <div className={styles.narrow}>
      <TextInput
        ref={field}
        label={t('occupations.asset.label')}
        description={takes === undefined ? t('occupations.asset.hint') : t('occupations.asset.only', { name: takes.name })}
        placeholder={t('occupations.asset.placeholder')}
        size="md"
        value={draft.text}
        onChange={(event) => {
          setActive(null);
          setHeld(null);
          setKept(null);
          onChange({ text: event.currentTarget.value, asset: null });
        }}
        onKeyDown={keys}
        data-step-focus
        autoComplete="off"
        maxLength={200}
        role="combobox"
        aria-expanded
        {...(lacking ? { 'aria-errormessage': FAULT_ID } : {})}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={assets.some(({ _id }) => _id === marked) ? `${listId}-${marked}` : undefined}
        error={lacking}
        rightSection={
          canScanByCamera() && (
            <ActionIcon aria-label={t('occupations.asset.camera')} onClick={() => setCamera(true)}>
              <IconScan aria-hidden />
            </ActionIcon>
          )
        }
      />
      {kept !== null && (
        <p className={styles.quiet} role="alert">
          {t(`occupations.asset.kept.${kept.why}`, { name: kept.name, tag: kept.tag })}
        </p>
      )}
      {draft.asset !== null && <InUseNote asset={draft.asset} plan={plan} />}
      {draft.asset !== null && <ToolNote asset={draft.asset} plan={plan} />}
      {plan.assetSource === 'tcm' && fromTool.data?.length === 0 && draft.request === '' && (
        <Alert color="gray" variant="light" icon={<IconPlugConnectedX aria-hidden />} title={t('occupations.asset.noTool')}>
          {t('occupations.asset.noToolText')}
        </Alert>
      )}
      {plan.type === 'consumable' && (
        <div className={styles.pair}>
          <NumberField
            label={t('occupations.stock.quantity')}
            description={t('occupations.stock.quantityHint')}
            value={draft.quantity}
            error={wrong.includes('quantity') ? t('occupations.stock.wrong.quantity') : undefined}
            onChange={(quantity) => onChange({ quantity })}
          />
          <NumberField
            label={t('occupations.stock.refillLevel')}
            description={t('occupations.stock.refillHint')}
            value={draft.refillLevel}
            error={wrong.includes('refillLevel') ? t('occupations.stock.wrong.refillLevel') : undefined}
            onChange={(refillLevel) => onChange({ refillLevel })}
          />
        </div>
      )}
      {plan.type === 'consumable' && lowAtOnce && <output className={styles.quiet}>{t('occupations.stock.lowAtOnce')}</output>}
      <h3 className={styles.listTitle} id={`${listId}-title`}>
        {t('occupations.asset.list')}
      </h3>
      <div
        id={listId}
        role="listbox"
        aria-labelledby={`${listId}-title`}
        className={styles.list}
        hidden={assets.length === 0}
        onPointerMove={hold}
        onPointerDown={hold}
      >
        {assets.map((asset) => (
          // Keys are the field's: the focus stays there while the list is walked.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={asset._id}
            id={`${listId}-${asset._id}`}
            role="option"
            tabIndex={-1}
            aria-selected={draft.asset?.id === asset._id}
            data-active={asset._id === marked || undefined}
            className={styles.option}
            data-kept={keeps.of(asset) !== null || undefined}
            aria-disabled={keeps.of(asset)?.barred || undefined}
            onClick={() => void choose(asset)}
          >
            {draft.asset?.id === asset._id ? <IconCircleCheck size={20} aria-hidden /> : <IconBox size={20} aria-hidden />}
            <span className={styles.optionName}>{asset.name}</span>
            <span className={styles.optionMore}>{aside(asset)}</span>
          </div>
        ))}
      </div>
      {list.isPending && <Bones lines={4} height={24} />}
      {list.isError && <p className={styles.quiet}>{t('occupations.asset.failed')}</p>}
      {list.isSuccess && assets.length === 0 && (
        <p className={styles.quiet}>
          {t(
            asked !== ''
              ? 'occupations.asset.none'
              : plan.assets === 'held'
                ? 'occupations.asset.noneOut'
                : plan.assetSource === 'tcm'
                  ? 'occupations.asset.toolEmpty'
                  : 'occupations.asset.empty',
          )}
        </p>
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
