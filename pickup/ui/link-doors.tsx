import type { DoorHold, PickupLink } from '@hatchway/contract/pickup.ts';
import { useId } from 'react';
import { useWords } from '../words/words.ts';

export type Choice = { doorTag: string; size: string; hold: DoorHold | null };
export type Group = { number: string; name: string; site: string; choices: Choice[] };

const SIZES = ['XS', 'S', 'M', 'L', 'XL'];

/**
 * What is to be chosen, wall by wall: a door, or for who puts something in a size, of which the first free door stands for all.
 * Doors that cannot be used stay in a list of doors, with the reason; a size that is taken is not offered.
 */
export function choicesOf({ places, purpose }: PickupLink): Group[] {
  return places
    .map(({ cabinet, site, doors }) => {
      const bySize = SIZES.flatMap((size) => doors.find((door) => door.size === size && door.hold === null) ?? []);
      return { number: cabinet.number, name: cabinet.name, site: site.name, choices: purpose === 'drop-off' ? bySize : doors };
    })
    .filter((group) => group.choices.length > 0);
}

type Props = {
  groups: Group[];
  purpose: PickupLink['purpose'];
  chosen: string | null;
  choose: (doorTag: string) => void;
  wrong: boolean;
};

/** Who fetches says first at which wall they stand: no door opens in another town. */
export function LinkWalls({ walls, chosen, choose, wrong }: Pick<Props, 'choose' | 'chosen' | 'wrong'> & { walls: PickupLink['places'] }) {
  const { words } = useWords();
  const id = useId();
  return (
    <>
      <fieldset className="choices" aria-describedby={wrong ? `${id}-wrong` : undefined}>
        <legend>{words.link.wall}</legend>
        {walls.map(({ cabinet, site, waiting }) => (
          <label key={cabinet.number} className="choice">
            <input type="radio" name={id} checked={chosen === cabinet.number} onChange={() => choose(cabinet.number)} />
            <span>
              {`${words.where.cabinet(cabinet.number, cabinet.name)}, ${site.name}`}
              <span className="dim"> · {words.link.waiting(waiting)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {words.link.chooseWall}
        </p>
      )}
    </>
  );
}

/** One choice is none to make: then it only says where. */
export function LinkDoors({ groups, purpose, chosen, choose, wrong }: Props) {
  const { words } = useWords();
  const id = useId();
  const sized = purpose === 'drop-off';
  const [only, more] = groups.flatMap((group) => group.choices);
  if (only !== undefined && more === undefined) return <p className="plate">{words.locker(only.doorTag)}</p>;
  return (
    <>
      {groups.map((group) => (
        <fieldset key={group.number} className="choices" aria-describedby={wrong ? `${id}-wrong` : undefined}>
          <legend>
            {groups.length > 1
              ? `${words.where.cabinet(group.number, group.name)}, ${group.site}`
              : sized
                ? words.link.size
                : words.link.door}
          </legend>
          {group.choices.map((choice) => (
            <label key={choice.doorTag} className="choice">
              <input
                type="radio"
                name={id}
                disabled={choice.hold !== null}
                checked={chosen === choice.doorTag}
                onChange={() => choose(choice.doorTag)}
              />
              <span>
                {sized ? words.link.sizes(choice.size) : `${choice.doorTag} · ${words.link.sizes(choice.size)}`}
                {choice.hold !== null && <span className="dim"> · {words.link.holds[choice.hold]}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {sized ? words.link.chooseSize : words.link.chooseDoor}
        </p>
      )}
    </>
  );
}
