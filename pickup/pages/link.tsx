import type { PickupLink } from '@hatchway/contract/pickup.ts';
import { useState } from 'react';
import { isKnown } from '../app/choices.ts';
import { leave } from '../app/session.ts';
import { useLink, type Linked, type Press as Pressed } from '../app/use-link.ts';
import { useNow } from '../app/use-now.ts';
import { deadline } from '../app/when.ts';
import { Company, logoAt } from '../ui/company.tsx';
import { Field } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { choicesOf, LinkDoors, LinkWalls } from '../ui/link-doors.tsx';
import { Notice } from '../ui/notice.tsx';
import { CabinetNumbers, Press } from '../ui/press.tsx';
import { lostText, troubleText } from '../ui/trouble-text.ts';
import { Unread } from '../ui/unread.tsx';
import { CallLink, Where } from '../ui/where.tsx';
import { useWords } from '../words/words.ts';
import { SayingPage } from './saying.tsx';

/** An access link: whoever stands at the cabinet with it opens, puts in or fetches, and needs no account. */
export function LinkPage({ token }: { token: string }) {
  const { words } = useWords();
  const [linked, { press, look }] = useLink(token);
  const { link, gone, lost } = linked;
  if (gone) return <SayingPage saying="gone" />;
  if (link !== null) return <LinkSheet link={link} linked={linked} press={press} look={look} />;
  return <Unread trouble={lost && lostText(lost, words)} look={look} />;
}

type Props = { link: PickupLink; linked: Linked; press: (press: Pressed) => void; look: () => void };

function LinkSheet({ link, linked, press, look }: Props) {
  const { words, locale } = useWords();
  const now = useNow(0, 30_000);
  const own = words.link.purpose[link.purpose];
  const opened = linked.last?.outcome === 'opened' ? linked.last : null;
  const over = link.state === 'active' ? null : words.link.over[link.state];
  const title = opened ? words.link.opened(opened.doorTag) : (over?.title ?? own.title);
  const places = link.purpose === 'pick-up' ? link.places.filter(({ waiting }) => waiting > 0) : link.places;
  const place = places.length === 1 ? places[0] : undefined;
  return (
    <div className="sheet narrow">
      <title>{`${title} – Hatchway`}</title>
      <Company company={link.company} logo={logoAt(link.places[0]?.cabinet.number)} />
      <Heading says={title}>{title}</Heading>
      <p>{[link.name, link.company.name].filter((part) => part !== '').join(' · ')}</p>
      {linked.lost && <Notice tone="warn">{words.trouble.line}</Notice>}
      {linked.trouble && <Notice tone="bad">{troubleText(linked.trouble, words)}</Notice>}
      {linked.last && linked.last.outcome !== 'opened' && (
        <Notice tone="bad" title={words.failed[linked.last.outcome].title}>
          <span>{words.failed[linked.last.outcome].text}</span>
          <CallLink tlf={place?.site.tlf ?? null} />
        </Notice>
      )}
      {opened ? (
        <Opened link={link} linked={linked} use={opened.use} doorTag={opened.doorTag} press={press} />
      ) : over ? (
        <Over link={link} text={over.text} press={press} busy={linked.busy} />
      ) : (
        <>
          <p className="dim">{own.lead}</p>
          <p className="dim">{words.until(deadline(link.validTo, now, locale, link.company.timeZone))}</p>
          <Use link={link} busy={linked.busy} press={press} look={look} />
        </>
      )}
      <button type="button" className="quiet" onClick={leave}>
        {over || opened ? words.leave.finish : words.leave.anotherCode}
      </button>
      {place !== undefined && <Where cabinet={place.cabinet} site={place.site} />}
    </div>
  );
}

/** Which of its doors, who it is, and the one large button. */
function Use({ link, busy, press, look }: { link: PickupLink; busy: boolean; press: (press: Pressed) => void; look: () => void }) {
  const { words } = useWords();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const choices = choicesOf(link);
  const usable = choices.flatMap((group) => group.choices.filter((choice) => choice.hold === null));
  const picks = link.purpose !== 'pick-up';
  const only = usable.length === 1 ? usable[0] : undefined;
  const walls = link.places.filter((place) => place.waiting > 0);
  const [wall, setWall] = useState<string | null>(null);
  const at = walls.length === 1 ? walls[0]?.cabinet.number : walls.find((one) => one.cabinet.number === wall)?.cabinet.number;
  const door = usable.find((choice) => choice.doorTag === chosen) ?? only;
  if (link.purpose === 'pick-up' && link.waiting === 0) return <Nothing text={words.refused['nothing-waiting']} look={look} />;
  if (picks && usable.length === 0) return <Nothing text={words.link.noDoor} look={look} />;
  const submit = () => {
    if (busy) return;
    if (picks ? door === undefined : at === undefined) return setAsked(true);
    setAsked(false);
    const who = name.trim();
    press({
      ...(picks && door ? { doorTag: door.doorTag } : {}),
      ...(!picks && at !== undefined ? { cabinet: at } : {}),
      ...(who === '' ? {} : { name: who }),
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isKnown()) submit();
      }}
      noValidate
    >
      {!picks && walls.length === 1 && <p>{words.link.waiting(link.waiting)}</p>}
      {!picks && walls.length > 1 && <LinkWalls walls={walls} chosen={at ?? null} choose={setWall} wrong={asked && at === undefined} />}
      {picks && (
        <LinkDoors groups={choices} purpose={link.purpose} chosen={door?.doorTag ?? null} choose={setChosen} wrong={asked && !door} />
      )}
      <Field label={words.link.name} autoComplete="name" maxLength={100} value={name} onChange={setName} />
      <CabinetNumbers value={link.places.map(({ cabinet }) => cabinet.number)}>
        <Press className="primary" busy={busy} press={submit}>
          {busy ? words.opening : words.open}
        </Press>
      </CabinetNumbers>
      <p className="dim center">{words.standing}</p>
    </form>
  );
}

function Nothing({ text, look }: { text: string; look: () => void }) {
  const { words } = useWords();
  return (
    <>
      <Notice tone="info">{text}</Notice>
      <button type="button" onClick={look}>
        {words.trouble.retry}
      </button>
    </>
  );
}

/** A link to open has let a door go: what its sensor says of it, and the same door once more. */
function Opened({
  link,
  linked,
  use,
  doorTag,
  press,
}: {
  link: PickupLink;
  linked: Linked;
  use: string | null;
  doorTag: string;
  press: (press: Pressed) => void;
}) {
  const { words } = useWords();
  const door = link.places.flatMap((place) => place.doors).find((one) => one.doorTag === doorTag);
  const text = door?.state === 'closed' ? words.link.shut : door?.state === 'opened' ? words.link.openNow : words.link.unseen;
  return (
    <div className="steps">
      <Notice tone={door?.state === 'closed' ? 'ok' : 'info'}>{text}</Notice>
      <button type="button" aria-disabled={linked.busy} onClick={() => press({ doorTag, ...(use === null ? {} : { use }) })}>
        {linked.busy ? words.opening : words.openAgain}
      </button>
    </div>
  );
}

/** It opens nothing (more); what it opened a moment ago opens once more. */
function Over({ link, text, press, busy }: { link: PickupLink; text: string; press: (press: Pressed) => void; busy: boolean }) {
  const { words, locale } = useWords();
  const now = useNow(0, 30_000);
  const { current } = link;
  return (
    <div className="steps">
      <p>{link.state === 'waiting' ? words.link.from(deadline(link.validFrom, now, locale, link.company.timeZone)) : text}</p>
      {current !== null && (
        <CabinetNumbers value={link.places.map(({ cabinet }) => cabinet.number)}>
          <Press busy={busy} press={() => press({ doorTag: current.doorTag, use: current.use })}>
            {busy ? words.opening : words.link.again(current.doorTag)}
          </Press>
        </CabinetNumbers>
      )}
    </div>
  );
}
