import { mayBuildAnywhere } from '@hatchway/domain/access.ts';
import { hoursWords } from '@hatchway/domain/hours.ts';
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconPencil, IconPlugConnected, IconPlugConnectedX, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
import { localeOf } from '../../app/language.ts';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel, Placeholder } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Cabinet, doubtQuery, type Site, sitesQuery } from './api.ts';
import styles from './builder.module.css';
import { howWrong } from './clock.ts';
import { WallsButton } from './walls-button.tsx';
import { CabinetDialog } from './cabinet-dialog.tsx';
import { DeleteSite } from './delete-dialogs.tsx';
import { Shape } from './shape.tsx';
import { isFound } from '../../ui/table/search.ts';
import { Find } from './find.tsx';
import type { BuilderSearch } from './search.ts';
import { SiteDialog } from './site-dialog.tsx';

type Open = { site: Site | null } | { cabinetAt: Site } | { remove: Site } | null;

/** All sites, and what stands on them. */
export const Overview = ({ search }: { search: BuilderSearch }) => {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const sites = useQuery(sitesQuery(api));
  const cabinets = useQuery(cabinetsQuery(api));
  const doubts = useQuery(doubtQuery(api));
  const [open, setOpen] = useState<Open>(null);
  const anywhere = mayBuildAnywhere(useFacts());
  const close = () => setOpen(null);
  const first = useRef<HTMLButtonElement>(null);
  // Somebody with rights on some doors alone sees the sites where those are.
  const shown = (sites.data ?? []).filter((site) => anywhere || cabinets.data?.some((cabinet) => cabinet.siteId === site.id));
  // A site that is found is shown whole; of any other those of its cabinets that are.
  const found = shown.flatMap((site) => {
    const here = (cabinets.data ?? []).filter((cabinet) => cabinet.siteId === site.id);
    const known = [site.name, site.address];
    if (isFound(search.find, known)) return [{ site, here }];
    const some = here.filter(({ name, number }) => isFound(search.find, [...known, name, String(number)]));
    return some.length === 0 ? [] : [{ site, here: some }];
  });
  const error = sites.error ?? cabinets.error;
  const create = (ref?: typeof first) => (
    <Button
      ref={ref}
      leftSection={<IconPlus size={18} aria-hidden />}
      onClick={() => {
        // The one that stands where no site does goes with the first site; this one stays, for the focus to come back to.
        first.current?.focus();
        setOpen({ site: null });
      }}
    >
      {t('builder.addSite')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('builder.title')}
        intro={t('builder.intro')}
        actions={
          <>
            <WallsButton search={{ view: 'doubt' }} variant="default" leftSection={<IconAlertTriangle size={18} aria-hidden />}>
              {t('builder.doubt.title')} ({doubts.data?.length ?? '…'})
            </WallsButton>
            {anywhere && create(first)}
          </>
        }
      />
      {error && <ProblemNote error={error} onRetry={() => void Promise.all([sites.refetch(), cabinets.refetch()])} />}
      {(sites.isPending || cabinets.isPending) && <Placeholder height={320} />}
      {sites.data && cabinets.data && shown.length === 0 && (
        <Notice level={2} title={t('builder.siteEmpty')} text={t('builder.siteEmptyText')}>
          {anywhere && create()}
        </Notice>
      )}
      <Find label={t('builder.find')} search={search} all={sites.data && cabinets.data ? shown.length : null} found={found.length} />
      {sites.data && cabinets.data && (
        <div className={styles.sites}>
          {found.map(({ site, here }) => (
            <Panel
              key={site.id}
              title={site.name}
              aside={
                anywhere && (
                  <span className={styles.row}>
                    <ActionIcon aria-label={t('builder.changeSite', { name: site.name })} onClick={() => setOpen({ site })}>
                      <IconPencil size={18} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      color="red"
                      aria-label={t('builder.deleteSite', { name: site.name })}
                      onClick={() => setOpen({ remove: site })}
                    >
                      <IconTrash size={18} aria-hidden />
                    </ActionIcon>
                    <Button
                      size="sm"
                      variant="default"
                      leftSection={<IconPlus size={16} aria-hidden />}
                      aria-label={t('builder.addCabinetAt', { site: site.name })}
                      onClick={() => setOpen({ cabinetAt: site })}
                    >
                      {t('builder.addCabinet')}
                    </Button>
                  </span>
                )
              }
            >
              <At site={site} cabinets={here} />
            </Panel>
          ))}
        </div>
      )}
      {open && 'site' in open && <SiteDialog site={open.site} onClose={close} />}
      {open && 'remove' in open && <DeleteSite site={open.remove} onClose={close} />}
      {open && 'cabinetAt' in open && (
        <CabinetDialog
          cabinet={null}
          site={open.cabinetAt}
          sites={sites.data ?? []}
          onClose={close}
          onSaved={({ id }) => void navigate({ to: '/manage/lockers', search: { cabinet: id } })}
        />
      )}
    </>
  );
};

const At = ({ site, cabinets }: { site: Site; cabinets: readonly Cabinet[] }) => {
  const { t, i18n } = useTranslation();
  const where = [site.address, hoursWords(site, localeOf(i18n.language)), site.tlf].filter((word) => word !== '').join(' · ');
  return (
    <>
      {where !== '' && <p className={styles.quiet}>{where}</p>}
      {cabinets.length === 0 ? (
        <p>{t('builder.noCabinet')}</p>
      ) : (
        <ul className={styles.cabinets} style={where === '' ? undefined : { marginTop: 12 }}>
          {cabinets.map((cabinet) => (
            <Card key={cabinet.id} cabinet={cabinet} />
          ))}
        </ul>
      )}
    </>
  );
};

export const ConnectionBadge = ({ cabinet }: { cabinet: Cabinet }) => {
  const { t } = useTranslation();
  if (cabinet.pairing !== 'paired')
    return <StateBadge icon={IconPlugConnectedX} tone="warn" word={t(`builder.pairing.${cabinet.pairing}`)} />;
  return cabinet.connection === 'online' ? (
    <StateBadge icon={IconPlugConnected} tone="ok" word={t('terms.connection.online')} />
  ) : (
    <StateBadge icon={IconPlugConnectedX} tone="unknown" word={t('terms.connection.offline')} />
  );
};

/** Since and until when its keypad takes no codes; null where it does. */
export const useShut = ({ keypadShut }: Cabinet): Cabinet['keypadShut'] => {
  const now = useNow(30_000);
  return keypadShut !== null && Date.parse(keypadShut.until) > now ? keypadShut : null;
};

/** What is wrong with the controller, in words that say what to do. */
export const ControllerTrouble = ({ cabinet }: { cabinet: Cabinet }) => {
  const { t, i18n } = useTranslation();
  const { clockBehind, twoControllers } = cabinet;
  const shut = useShut(cabinet);
  const time = howWrong(clockBehind, i18n.language);
  return (
    <>
      {twoControllers && <p className={styles.trouble}>{t('builder.twoControllers')}</p>}
      {shut && <p className={styles.trouble}>{t('builder.keypadShut', { since: shortTime(shut.since), until: shortTime(shut.until) })}</p>}
      {clockBehind > 0 && <p className={styles.trouble}>{t('builder.clockBehind', { time })}</p>}
      {clockBehind < 0 && <p className={styles.trouble}>{t('builder.clockAhead', { time })}</p>}
    </>
  );
};

const Card = ({ cabinet }: { cabinet: Cabinet }) => {
  const { t } = useTranslation();
  const count = cabinet.columns.reduce((sum, column) => sum + column.doors.length, 0);
  return (
    <li className={styles.card}>
      <Shape layout={cabinet.columns} />
      <div>
        <h3>{cabinet.name}</h3>
        <p>
          {t('builder.cabinetNumber', { number: cabinet.number })} · {t('builder.doors', { count })}
        </p>
        <ControllerTrouble cabinet={cabinet} />
      </div>
      <div className={styles.row} style={{ justifyContent: 'space-between' }}>
        <ConnectionBadge cabinet={cabinet} />
        <WallsButton search={{ cabinet: cabinet.id }} size="sm" variant="light" aria-label={t('builder.buildThis', { name: cabinet.name })}>
          {t('builder.build')}
        </WallsButton>
      </div>
    </li>
  );
};
