import { STAGES, type StageName } from '@hatchway/domain/terms.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { kindWord } from '../../app/kind-word.ts';
import { useApi } from '../../app/portal.ts';
import { type Occupation, pagesQuery } from '../../app/queries.ts';
import { useZone } from '../../app/who.ts';
import { Moment } from '../../ui/moment.tsx';
import { CalledOffBadge } from '../occupations/called-off.tsx';
import { ContactBadge } from '../occupations/contact-badge.tsx';
import { DoubtBadge } from '../occupations/doubt-note.tsx';
import { OverdueBadge, StageBadge } from '../../ui/stage-badge.tsx';
import { SearchField } from '../../ui/table/tools.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import styles from './board.module.css';
import { type OccupationsSearch, narrowsBoard, occupationsQuestion } from './search.ts';
import { ServiceSelect } from './service-select.tsx';

/** The stages that something runs through, in their order; what ended is for the list. */
const RUNNING = [
  'RESERVED',
  'INITIATED',
  'FILLED',
  'ACQUIRABLE',
  'CONTACTING',
  'CONTACTED',
  'CLAIMING',
  'VACANT',
] as const satisfies readonly StageName[];
const SHOWN = 30;

type Props = { search: OccupationsSearch; onSearch: (change: Partial<OccupationsSearch>) => void };

/** What runs now, a column for each stage; a card moves by itself when its occupation does. */
export const Board = ({ search, onSearch }: Props) => {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label={t('manage.occupations.search')}
          value={search.find ?? ''}
          onChange={(find) => onSearch({ find: find || undefined })}
        />
        <ServiceSelect value={search.service} onChange={(service) => onSearch({ service })} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <section className={styles.board} tabIndex={0} aria-label={t('manage.occupations.board')}>
        {RUNNING.map((stage) => (
          <Stage key={stage} stage={stage} search={search} onSearch={onSearch} />
        ))}
      </section>
    </>
  );
};

const Stage = ({ stage, search, onSearch }: Props & { stage: (typeof RUNNING)[number] }) => {
  const { t } = useTranslation();
  const api = useApi();
  const { view, ...narrowing } = search;
  const q = occupationsQuestion({ ...narrowing, ...(narrowsBoard(view) ? { view } : {}), stage }, useZone());
  const { queryFn, queryKey } = pagesQuery(api, 'GET /occupations', { q, limit: SHOWN, sort: '-updatedAt' });
  const found = useQuery({
    queryKey: [queryKey[0], 'list', { board: true, ...(queryKey[2] as object) }],
    queryFn: ({ signal }) => queryFn({ signal, pageParam: null }),
    placeholderData: keepPreviousData,
  });
  const rows = found.data?.rows ?? [];
  const more = (found.data?.total ?? 0) - rows.length;
  const title = t(`terms.stage.${stage}`);
  return (
    <section className={styles.stage} aria-label={title} data-empty={(found.isSuccess && rows.length === 0) || undefined}>
      <h2 className={styles.head}>
        <StageBadge stage={STAGES[stage]} />
        {found.data && <span className={styles.count}>{found.data.total ?? rows.length}</span>}
      </h2>
      <Waiting of={found} lines={3} height={48} />
      {found.isSuccess && rows.length === 0 && <p className={styles.none}>{t('manage.occupations.nobodyHere')}</p>}
      <ul className={styles.cards}>
        {rows.map((row) => (
          <li key={row.id}>
            <Card row={row} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" className={styles.more} onClick={() => onSearch({ look: undefined, stage })}>
          {t('manage.occupations.moreHere', { count: more })}
        </button>
      )}
    </section>
  );
};

const Card = ({ row }: { row: Occupation }) => {
  const { t } = useTranslation();
  return (
    <Link to="/services/manageoccupation" search={{ id: row.id }} className={styles.card}>
      <span className={styles.line}>
        <strong>{row.doorTag}</strong>
        <Moment at={row.updatedAt} />
      </span>
      <span>{row.receiver?.name ?? t('manage.occupations.noReceiver')}</span>
      <span className={styles.dim}>{[kindWord(row, t), row.assetText ?? row.assetName ?? row.orderRef].filter(Boolean).join(' · ')}</span>
      <DoubtBadge one={row} />
      <CalledOffBadge one={row} />
      <ContactBadge one={row} />
      {row.overdue && <OverdueBadge />}
    </Link>
  );
};
