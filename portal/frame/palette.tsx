import '../ui/all-styles.ts';
import '@mantine/spotlight/styles.css';
import { Spotlight, type SpotlightActionGroupData, createSpotlight } from '@mantine/spotlight';
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
import { useApi } from '../app/portal.ts';
import { useAccess } from '../app/who.ts';
import { stageWord } from '../ui/stage-badge.tsx';
import { keepOpen } from '../ui/press.ts';
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
  const found = useQuery({
    queryKey: ['occupations', 'find', { scan: asked }],
    queryFn: ({ signal }) => api('POST /occupations/find', { body: { scan: asked }, signal }),
    enabled: opened && asked.length > 1,
    staleTime: 5_000,
    retry: false,
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
    enabled: opened && asked.length > 1,
    staleTime: 5_000,
    retry: false,
  });

  const past = useQuery({
    queryKey: ['occupations', 'ended', { scan: asked }],
    queryFn: ({ signal }) =>
      api('GET /occupations', {
        query: { q: { $text: asked, stage: { $gte: STAGES.TERMINATED } }, sort: '-updatedAt', limit: 6 },
        signal,
      }),
    enabled: opened && asked.length > 1,
    staleTime: 5_000,
    retry: false,
  });
  const paid = useQuery({
    queryKey: ['payments', 'found', { scan: asked }],
    queryFn: ({ signal }) => api('GET /payments', { query: { q: { $text: asked }, limit: 6 }, signal }),
    enabled: opened && asked.length > 1 && access.payments,
    staleTime: 5_000,
    retry: false,
  });

  /** All that can be found for what stands there has come; an occupation that has goes before all else. */
  const waits = [doors, things, past, paid].some(({ isFetching }) => isFetching);
  const answered = asked === scan && !found.isFetching && ((found.data?.length ?? 0) > 0 || !waits);
  /** With the arrows, to a row that is meant. */
  const walked = useRef(false);

  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
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
  const straight = async (text: string, { orScreen = false } = {}): Promise<void> => {
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
    if (door) return toDoor?.(door);
    const [screen] = orScreen ? screensFor(text) : [];
    if (screen) go(screen.to);
  };
  useEffect(() => {
    if (opened && scanned) void straight(typed);
    // The scan that opened the palette is followed once, when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [opened, scanned]);

  const groups = useMemo((): SpotlightActionGroupData[] => {
    const screens = screensFor(scan);
    return [
      {
        group: t('frame.palette.occupations'),
        actions: (scan ? (found.data ?? []) : []).slice(0, 8).map((one) => ({
          id: one.id,
          label: [one.doorTag, one.receiver?.name ?? one.assetText ?? one.assetName].filter(Boolean).join(' · '),
          description: [
            one.receiver === null ? null : (one.assetText ?? one.assetName),
            `${kindWord(one, t)}, ${stageWord(one, t)}`,
            one.inDoubt && t('terms.lockerState.inDoubt'),
          ]
            .filter(Boolean)
            .join(' · '),
          leftSection: <IconPackage {...icon} />,
          onClick: () => go('/services/manageoccupation', { id: one.id }),
        })),
      },
      {
        group: t('frame.palette.lockers'),
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
        actions: (scan ? (things.data ?? []) : []).map((one) => ({
          id: one._id,
          label: one.name,
          description: one.holder ? t('assets.hasIt', { name: one.holder.name }) : one.identifiers.map(({ value }) => value).join(' · '),
          leftSection: <IconBox {...icon} />,
          onClick: () => go(`/manage/assets/${one._id}`),
        })),
      },
      {
        group: t('frame.palette.screens'),
        actions: screens.map((place) => ({
          id: place.to,
          label: place.label,
          leftSection: <place.icon {...icon} />,
          onClick: () => go(place.to),
        })),
      },
      {
        group: t('frame.palette.past'),
        actions: (scan ? (past.data ?? []) : []).map((one) => ({
          id: one.id,
          label: [one.receiver?.name ?? one.assetText ?? one.assetName, one.doorTag].filter(Boolean).join(' · '),
          description: [
            one.receiver === null ? null : (one.assetText ?? one.assetName),
            `${kindWord(one, t)}, ${stageWord(one, t)}`,
            shortTime(one.stageAt),
          ]
            .filter(Boolean)
            .join(' · '),
          leftSection: <IconHistory {...icon} />,
          onClick: () => go('/services/manageoccupation', { id: one.id }),
        })),
      },
      {
        group: t('payments.title'),
        actions: (scan && access.payments ? (paid.data ?? []) : []).map((one) => ({
          id: one._id,
          label: [one.payer.name ?? one.payer.email ?? one.payer.tlf ?? one.reference, money(one.amount, one.currency)].join(' · '),
          description: [t(`terms.payment.${one.state}`), one.reference, shortTime(one.createdAt)].join(' · '),
          leftSection: <IconCash {...icon} />,
          onClick: () => go('/manage/payments', { payment: one._id }),
        })),
      },
    ].filter((group) => group.actions.length > 0);
  }, [scan, found.data, doors.data, things.data, past.data, paid.data, access, screensFor, money, t, go, toDoor]);
  // Who may not use a door by itself still learns that it is there.
  const others = doors.data?.find((one) => one.doorTag === doorTagOf(scan) && one.occupation !== null)?.doorTag;

  // Enter takes the first one that is just what was typed, else the first that is found, also where an answer came after the typing and stands
  // above what was marked; a walk with the arrows is left alone.
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    const marked = list?.querySelector('[data-selected]') ?? null;
    if (!scan || list === null || (walked.current && marked !== null)) return;
    const exact = groups.flatMap(({ actions }) => actions).findIndex(({ label }) => isExactly(label, scan));
    const selected = Math.max(0, exact);
    marked?.removeAttribute('data-selected');
    list.querySelectorAll('[data-action]')[selected]?.setAttribute('data-selected', 'true');
    store.updateState((now) => ({ ...now, selected }));
  }, [scan, groups]);

  return (
    <Spotlight
      store={store}
      actions={groups}
      query={query}
      onQueryChange={(text) => {
        walked.current = false;
        setQuery(text);
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('frame.palette.open') } }}
      // The server has searched already; screens are narrowed above.
      filter={(_, actions) => actions}
      nothingFound={
        answered && others !== undefined
          ? t('occupations.manage.othersDoor', { tag: others })
          : t(!answered ? 'frame.palette.searching' : found.isError ? 'frame.palette.screensOnly' : 'frame.palette.nothing')
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
        onKeyDown: (event) => {
          if (event.key.startsWith('Arrow')) walked.current = true;
          // A scanner presses Enter before any answer can be there, and whoever is quick does too: what is selected then is of the text before.
          if (event.key !== 'Enter' || walked.current || scan.length < 2 || answered) return;
          event.preventDefault();
          const list = document.getElementById(store.getState().listId);
          list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
          void straight(scan, { orScreen: true });
        },
      }}
    />
  );
};
export default Palette;

/** A row's first word is its door, its name or its screen. */
const isExactly = (label: string | undefined, typed: string): boolean => label?.split(' · ')[0]?.toLowerCase() === typed.toLowerCase();

const useSettled = (value: string, wait: number): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return settled;
};
