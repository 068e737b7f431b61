import '../ui/all-styles.ts';
import '@mantine/spotlight/styles.css';
import { Loader } from '@mantine/core';
import { Spotlight, type SpotlightActionData, createSpotlight } from '@mantine/spotlight';
import { IconBox, IconCash, IconDoor, IconHistory, IconPackage, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { kindWord } from '../app/kind-word.ts';
import { doorTagOf } from '@hatchway/domain/codes.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { shortTime } from '../app/dates.ts';
import { useMoney } from '../app/money.ts';
import type { Occupation } from '../app/queries.ts';
import { useApi } from '../app/portal.ts';
import { useAccess } from '../app/who.ts';
import { stageWord } from '../ui/stage-badge.tsx';
import { keepOpen } from '../ui/press.ts';
import { markedRow } from './marked-row.ts';
import { placesFor } from './places.ts';

const [store, spotlight] = createSpotlight();
const icon = { size: 20, stroke: 1.6, 'aria-hidden': true } as const;

type Props = { opened: boolean; typed: string; scanned: boolean; onClose: () => void };

/** Any screen, door, code, receiver or occupation from anywhere. What a scanner types goes straight to its place. */
const Palette = ({ opened, typed, scanned, onClose }: Props) => {
  const { t } = useTranslation();
  const router = useRouter();
  const api = useApi();
  const access = useAccess();
  const money = useMoney();
  const [query, setQuery] = useState('');
  const scan = query.trim();
  const asked = useSettled(scan, 180);
  const searching = { enabled: opened && asked.length > 1, staleTime: 5_000, retry: false };
  const found = useQuery({
    queryKey: ['occupations', 'find', { scan: asked }],
    queryFn: ({ signal }) => api('POST /occupations/find', { body: { scan: asked }, signal }),
    ...searching,
  });
  const doors = useQuery({
    queryKey: ['lockers', 'list', { q: { $text: asked }, sort: 'doorTag', limit: 6 }],
    queryFn: ({ signal }) => api('GET /lockers', { query: { q: { $text: asked }, sort: 'doorTag', limit: 6 }, signal }),
    enabled: opened && asked.length > 0,
    retry: false,
  });

  const things = useQuery({
    queryKey: ['assets', 'found', { scan: asked }],
    queryFn: ({ signal }) => api('GET /assets', { query: { q: { $text: asked }, sort: 'name', limit: 6 }, signal }),
    ...searching,
  });

  const past = useQuery({
    queryKey: ['occupations', 'ended', { scan: asked }],
    queryFn: ({ signal }) =>
      api('GET /occupations', {
        query: { q: { $text: asked, stage: { $gte: STAGES.TERMINATED } }, sort: '-updatedAt', limit: 6 },
        signal,
      }),
    ...searching,
  });
  const paid = useQuery({
    queryKey: ['payments', 'found', { scan: asked }],
    queryFn: ({ signal }) => api('GET /payments', { query: { q: { $text: asked }, limit: 6 }, signal }),
    ...searching,
    enabled: searching.enabled && access.payments,
  });

  /** With the arrows, to a row that is meant. */
  const walked = useRef(false);
  /** Enter was pressed, and the row that it takes is not known yet. */
  const [pressed, setPressed] = useState(false);

  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
    setPressed(false);
  }, [opened]);
  useEffect(() => {
    if (opened) setQuery(typed);
  }, [opened, typed]);

  const go = useCallback(
    (to: string, search: Record<string, string> = {}): void => {
      onClose();
      void router.navigate({ to, search });
    },
    [onClose, router],
  );
  /** Where a door is used, or for whoever only builds, its wall. */
  const toDoor = useMemo((): ((door: { doorTag: string; cabinetId: string }) => void) | null => {
    if (access.may('lock-control')) return ({ doorTag }) => go('/services/lock-control', { tag: doorTag });
    return access.builds ? ({ cabinetId }) => go('/manage/lockers', { cabinet: cabinetId }) : null;
  }, [access, go]);
  const screensFor = useCallback(
    (text: string) => placesFor(access, t).filter((place) => `${place.label} ${place.to}`.toLowerCase().includes(text.toLowerCase())),
    [access, t],
  );
  const straight = async (text: string): Promise<void> => {
    const rows = await router.options.context.portal.queryClient
      .fetchQuery({
        queryKey: ['occupations', 'find', { scan: text }],
        queryFn: () => api('POST /occupations/find', { body: { scan: text } }),
        staleTime: 5_000,
      })
      .catch(() => []);
    const only = rows.length === 1 ? rows[0] : undefined;
    if (only) return go('/services/manageoccupation', { id: only.id });
    if (rows.length > 0) return;
    const [asset] = await api('GET /assets', { query: { q: { identifier: text }, limit: 1 } }).catch(() => []);
    if (asset) return go(`/manage/assets/${asset._id}`);
    // A door that nothing runs on has its place too, for whoever may use it by itself, or builds.
    const doorTag = toDoor === null ? null : doorTagOf(text);
    const [door] = doorTag === null ? [] : await api('GET /lockers', { query: { q: { doorTag }, limit: 1 } }).catch(() => []);
    if (door) toDoor?.(door);
  };
  useEffect(() => {
    if (opened && scanned) void straight(typed);
    // The scan that opened the palette is followed once, when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [opened, scanned]);

  const groups = useMemo((): { group: string; waits: boolean; actions: SpotlightActionData[] }[] => {
    const waits = ({ isLoading }: { isLoading: boolean }): boolean => isLoading || asked !== scan;
    const screens = screensFor(scan);
    const whose = ({ receiver, assetText, assetName }: Occupation) => receiver?.name ?? assetText ?? assetName;
    const rowOf = (one: Occupation, label: (string | null)[], more: string | false, Icon: typeof IconPackage): SpotlightActionData => ({
      id: one.id,
      label: label.filter(Boolean).join(' · '),
      description: [one.receiver === null ? null : (one.assetText ?? one.assetName), `${kindWord(one, t)}, ${stageWord(one, t)}`, more]
        .filter(Boolean)
        .join(' · '),
      leftSection: <Icon {...icon} />,
      onClick: () => go('/services/manageoccupation', { id: one.id }),
    });
    return [
      {
        group: t('frame.palette.occupations'),
        waits: waits(found),
        actions: (scan ? (found.data ?? []) : [])
          .slice(0, 8)
          .map((one) => rowOf(one, [one.doorTag, whose(one)], one.inDoubt && t('terms.lockerState.inDoubt'), IconPackage)),
      },
      {
        group: t('frame.palette.lockers'),
        waits: waits(doors),
        actions: (scan && toDoor ? (doors.data ?? []) : []).map((one) => ({
          id: one.id,
          label: one.doorTag,
          description: [one.size, one.name].filter(Boolean).join(' · '),
          leftSection: <IconDoor {...icon} />,
          onClick: () => toDoor?.(one),
        })),
      },
      {
        group: t('assets.title'),
        waits: waits(things),
        actions: (scan ? (things.data ?? []) : []).map((one) => ({
          id: one._id,
          label: one.name,
          keywords: one.identifiers.map(({ value }) => value),
          description: one.holder ? t('assets.hasIt', { name: one.holder.name }) : one.identifiers.map(({ value }) => value).join(' · '),
          leftSection: <IconBox {...icon} />,
          onClick: () => go(`/manage/assets/${one._id}`),
        })),
      },
      {
        group: t('frame.palette.screens'),
        waits: false,
        actions: screens.map((place) => ({
          id: place.to,
          label: place.label,
          leftSection: <place.icon {...icon} />,
          onClick: () => go(place.to),
        })),
      },
      {
        group: t('frame.palette.past'),
        waits: waits(past),
        actions: (scan ? (past.data ?? []) : []).map((one) => rowOf(one, [whose(one), one.doorTag], shortTime(one.stageAt), IconHistory)),
      },
      {
        group: t('payments.title'),
        waits: waits(paid),
        actions: (scan && access.payments ? (paid.data ?? []) : []).map((one) => ({
          id: one._id,
          label: [one.payer.name ?? one.payer.email ?? one.payer.tlf ?? one.reference, money(one.amount, one.currency)].join(' · '),
          description: [t(`terms.payment.${one.state}`), one.reference, shortTime(one.createdAt)].join(' · '),
          leftSection: <IconCash {...icon} />,
          onClick: () => go('/manage/payments', { payment: one._id }),
        })),
      },
    ];
  }, [scan, asked, found, doors, things, past, paid, access, screensFor, money, t, go, toDoor]);
  const shown = useMemo(() => groups.filter(({ actions }) => actions.length > 0), [groups]);
  const marked = markedRow(groups, scan);
  // Who may not use a door by itself still learns that it is there.
  const others = doors.data?.find((one) => one.doorTag === doorTagOf(scan) && one.occupation !== null)?.doorTag;

  // What is marked is what Enter takes, also where rows came above it: a row that was walked to stays it, and is only counted anew.
  useEffect(() => {
    const rows = rowsShown();
    if (!scan || rows.length === 0) return;
    const walkedTo = walked.current ? rows.findIndex((row) => row.matches('[data-selected]')) : -1;
    walked.current = walkedTo >= 0;
    const selected = walked.current ? walkedTo : marked.at;
    for (const row of rows) row.removeAttribute('data-selected');
    rows[selected]?.setAttribute('data-selected', 'true');
    store.updateState((now) => ({ ...now, selected }));
  }, [scan, shown, marked.at]);
  useEffect(() => {
    if (!pressed || marked.waits) return;
    setPressed(false);
    const row = rowsShown()[marked.at];
    if (row) row.click();
    else void straight(scan);
    // It is taken once, when all above it have answered.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pressed, marked.waits]);

  return (
    <Spotlight
      store={store}
      actions={shown}
      query={query}
      onQueryChange={(text) => {
        walked.current = false;
        setPressed(false);
        setQuery(text);
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('frame.palette.open') } }}
      // The server has searched already; screens are narrowed above.
      filter={(_, actions) => actions}
      nothingFound={
        !marked.waits && others !== undefined
          ? t('occupations.manage.othersDoor', { tag: others })
          : t(marked.waits ? 'frame.palette.searching' : found.isError ? 'frame.palette.screensOnly' : 'frame.palette.nothing')
      }
      highlightQuery
      clearQueryOnClose={false}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0, onClickCapture: keepOpen }}
      scrollable
      centered={false}
      yOffset="12dvh"
      maxHeight={420}
      searchProps={{
        placeholder: t('frame.palette.placeholder'),
        'aria-label': t('frame.palette.open'),
        leftSection: <IconSearch {...icon} />,
        rightSection: pressed ? (
          <output aria-label={t('frame.palette.searching')}>
            <Loader size="xs" />
          </output>
        ) : null,
        onKeyDown: (event) => {
          if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            walked.current = true;
            setPressed(false);
          }
          if (event.key !== 'Enter' || walked.current || scan === '' || event.nativeEvent.isComposing) return;
          // A scanner presses it before any answer can be there, and whoever is quick does too: what is marked then may not stay the first.
          event.preventDefault();
          for (const row of rowsShown()) row.removeAttribute('data-selected');
          setPressed(true);
        },
      }}
    />
  );
};
export default Palette;

const rowsShown = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[id="${store.getState().listId}"] [data-action]`)];

const useSettled = (value: string, wait: number): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return settled;
};
