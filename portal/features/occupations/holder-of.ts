import type { Client } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Asset } from '../assets/api.ts';
import type { Draft } from './draft.ts';

type Known = { name: string | null; tlf: string | null; email: string | null };
const typed = ({ name, tlf, email }: Known): Draft['receiver'] => ({ name: name ?? '', tlf: tlf ?? '', email: email ?? '' });

/** Its asset tool says that somebody has it, and no loan of ours does. */
export const isOutThere = ({ holder, dueAt, tool }: Pick<Asset, 'holder' | 'dueAt' | 'tool'>): boolean =>
  holder === null && dueAt === null && tool !== null && tool.state === 'out' && !tool.gone;

/**
 * Who has a thing, as they are asked to bring it back: by its loan, or by its asset tool, which knows a name alone. How to reach that
 * person stands in the delivery by which they got it here. Null: nobody is known to have it.
 */
export const holderOf = async (api: Client, asset: Asset): Promise<Draft['receiver'] | null> => {
  if (asset.holder !== null) {
    const params = { id: asset._id };
    const [loan] = await api('GET /assets/{id}/loans', { params, query: { q: { returnedAt: null }, limit: 1 } }).catch(() => []);
    return typed(loan?.borrower ?? { name: asset.holder.name, tlf: null, email: null });
  }
  const name = isOutThere(asset) ? (asset.tool?.holder ?? null) : null;
  if (name === null) return null;
  const q = { assetId: asset._id, type: 'delivery', stage: { $gte: STAGES.TERMINATED } };
  const [got] = await api('GET /occupations', { query: { q, limit: 1, sort: '-updatedAt' } }).catch(() => []);
  return typed(got?.receiver?.name === name ? got.receiver : { name, tlf: null, email: null });
};
