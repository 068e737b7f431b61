import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { hoursWords } from '@hatchway/domain/hours.ts';
import { phone } from '../app/when.ts';
import { useWords } from '../words/words.ts';

type Props = { cabinet: Pick<PickupCabinet, 'number' | 'name' | 'connection'>; site: PickupCabinet['site'] };

export function Where({ cabinet, site }: Props) {
  const { words } = useWords();
  return (
    <section className="where" aria-labelledby="where">
      <h2 id="where">{words.where.title}</h2>
      <p>
        <strong>{site.name}</strong>
        <br />
        {site.address}
      </p>
      <p>{words.where.cabinet(cabinet.number, cabinet.name)}</p>
      <Opening site={site} />
      {cabinet.connection === 'offline' && <p className="hatched">{words.where.offline}</p>}
      <CallLink tlf={site.tlf} />
    </section>
  );
}

export function Opening({ site }: { site: Pick<PickupCabinet['site'], 'hours' | 'openingHours'> }) {
  const { words, locale } = useWords();
  const hours = hoursWords(site, locale);
  if (hours === '') return null;
  return (
    <p>
      {words.where.hours} {hours}
    </p>
  );
}

/** The site's telephone, where there is one: the way out of everything that a page cannot solve. */
export function CallLink({ tlf, strong = false }: { tlf: string | null; strong?: boolean }) {
  const { words } = useWords();
  if (tlf === null || tlf === '') return null;
  return (
    <a className={strong ? 'button' : 'call'} href={`tel:${tlf}`}>
      {words.where.call(phone(tlf))}
    </a>
  );
}
