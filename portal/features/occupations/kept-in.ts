import { holdsIt } from '@hatchway/domain/locker.ts';
import { liesThere } from '@hatchway/domain/register.ts';
import type { OccupationType, Stage } from '@hatchway/domain/terms.ts';
import type { Occupation } from '../../app/queries.ts';
import type { Asset, StatusLabel } from '../assets/api.ts';

/** Why a thing is not simply there to be taken. `barred`: nobody's word lets it go on. */
export type KeptIn = { why: 'out' | 'lies' | 'under' | 'label' | 'unseen'; tag: string; barred: boolean };

type Use = Pick<Occupation, 'assetId' | 'type' | 'stage' | 'doorTag'>;

/** Of the uses of one thing, the one that says that it lies elsewhere, or is on its way there. */
export const otherUse = <T extends Pick<Use, 'type'>>(type: OccupationType, uses: readonly T[]): T | undefined =>
  uses.find((use) => liesThere(type, use.type));

/**
 * As registering it is refused: what is to be lent goes out from where it is lent already, and not where its label keeps it in; whatever
 * else is in use goes on by the word of who has it in their hand. `inUse`: the ids of all that are, also by what is out of sight, of
 * which nothing else is known. Null: nothing keeps it.
 */
export function keptIn(
  type: OccupationType,
  asset: Pick<Asset, '_id' | 'dueAt' | 'statusLabelId'>,
  uses: readonly Use[],
  labels: readonly Pick<StatusLabel, 'id' | 'type'>[],
  inUse: readonly string[] = [],
): KeptIn | null {
  const lends = type === 'lending';
  if (asset.dueAt !== null && liesThere(type, 'lending')) return { why: 'out', tag: '', barred: lends };
  const own = uses.filter(({ assetId }) => assetId === asset._id);
  const found = (use: Use | undefined, barred: boolean): KeptIn | null =>
    use === undefined ? null : { why: holdsIt(use.stage as Stage) ? 'lies' : 'under', tag: use.doorTag, barred };
  const lent = lends
    ? found(
        own.find((use) => use.type === 'lending'),
        true,
      )
    : null;
  if (lent !== null) return lent;
  const label = lends ? labels.find(({ id }) => id === asset.statusLabelId) : undefined;
  if (label !== undefined && label.type !== 'deployable') return { why: 'label', tag: '', barred: true };
  const other = found(otherUse(type, own), false);
  return other ?? (inUse.includes(asset._id) ? { why: 'unseen', tag: '', barred: false } : null);
}

/**
 * Those that nothing keeps, then the others, each in the order of the list. `held`: the ids of those under somebody's hand, which stay where
 * they are, before whatever came since.
 */
export function inOrder<T extends { _id: string }>(assets: readonly T[], isKept: (asset: T) => boolean, held: readonly string[]): T[] {
  const place = ({ _id }: T) => (held.includes(_id) ? held.indexOf(_id) : held.length);
  return assets.toSorted((a, b) => place(a) - place(b) || Number(isKept(a)) - Number(isKept(b)));
}

/** The one a step above or below the marked one; none above the first. Where the marked one is gone, one begins anew. */
export function stepFrom(assets: readonly { _id: string }[], marked: string | null, step: 1 | -1): string | null {
  const at = assets.findIndex(({ _id }) => _id === marked);
  return assets[Math.max(-1, Math.min(at + step, assets.length - 1))]?._id ?? null;
}
