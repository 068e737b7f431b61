import type { FastifyInstance } from 'fastify';
import { pickups, type PickupKey } from '@hatchway/contract/pickup.ts';
import { stageName, STAGES } from '@hatchway/domain/terms.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { offers } from '@hatchway/contract/offers.ts';
import { done, giveUp, open, pay, putBack, report } from './acts.ts';
import { cabinetCard, cabinetLogo } from './card.ts';
import { pickupFacts } from './facts.ts';
import { byToken, cabinetOf, placeOf, type Place } from './key.ts';
import { linkOf, linkView } from './link-view.ts';
import { openByLink } from './link-commands.ts';
import { countPress, countReport, pressedOnce, type Header } from './press.ts';
import { payOffer, take } from './offer-commands.ts';
import { offersAt } from './offer-queries.ts';
import { view } from './view.ts';

/** What presses are counted by: of a stock each buyer's purchase, so that none shuts out the others. */
const thing = ({ bought, occupationId }: Place): string => bought ?? occupationId;

type Press = { key: PickupKey; address: string; now: string; header: Header };

/** The end-user site's calls. Nobody is signed in: a link or a code is the whole right, and nothing of either is ever logged. */
export const pickupModule = (app: FastifyInstance, deps: Deps): void => {
  const pressed = async <T>(press: Press, what: string, act: (place: Place) => Promise<T>): Promise<T> => {
    const place = await placeOf(deps, press.key, press);
    const mine = thing(place);
    await countPress(deps, `pickup-press:${mine}`, press);
    const visitor = { tenantId: place.tenantId, name: `pickup:${mine}` };
    const answer = await pressedOnce(deps, visitor, press, what, () => act(place));
    deps.outbox.wake();
    return answer;
  };
  serve(app, deps, pickups, {
    'POST /pickup/look': {
      outside: async ({ body, address, now }) => {
        const place = await placeOf(deps, body.key, { address, now });
        const seen = await deps.db.tenant(place.tenantId, (tx) => view(tx, deps, place, now));
        return seen.rev === body.rev ? undefined : seen;
      },
    },
    'POST /pickup/open': {
      outside: ({ body: { key, doorTag, quantity }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, `open ${doorTag} ${quantity ?? ''}`, (place) =>
          open(deps, place, { doorTag, quantity }, now),
        ),
    },
    'POST /pickup/pay': {
      outside: ({ body: { key }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, 'pay', (place) => pay(deps, place, now)),
    },
    'POST /pickup/give-up': {
      outside: ({ body: { key }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, 'give-up', (place) => giveUp(deps, place, now)),
    },
    'POST /pickup/done': {
      outside: ({ body: { key, condition }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, `done ${condition ?? ''}`, (place) =>
          done(deps, place, condition, now),
        ),
    },
    'POST /pickup/put-back': {
      outside: ({ body: { key, condition }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, `put-back ${condition ?? ''}`, (place) =>
          putBack(deps, place, condition, now),
        ),
    },
    'POST /pickup/report': {
      outside: ({ body: { key, kind, note }, address, now, headers }) =>
        pressed({ key, address, now, header: headers['idempotency-key'] }, `report ${kind} ${note ?? ''}`, async (place) => {
          // Taking a claim back tells nobody anything.
          if (kind !== 'not-now') await countReport(deps, thing(place), now);
          return report(deps, place, kind, note, now);
        }),
    },
    'POST /pickup/link': {
      outside: async ({ body, address, now }) => {
        const { tenantId, linkId } = await linkOf(deps, body.token, { address, now });
        const seen = await deps.db.tenant(tenantId, (tx) => linkView(tx, tenantId, linkId, now));
        return seen.rev === body.rev ? undefined : seen;
      },
    },
    'POST /pickup/link/open': {
      outside: ({ body, address, now, headers }) => openByLink(deps, body, { address, now, header: headers['idempotency-key'] }),
    },
    'GET /pickup/cabinets/{number}': {
      outside: async ({ params, address, now }) => {
        const { tenantId, cabinetId } = await cabinetOf(deps, params.number, { address, now });
        return deps.db.tenant(tenantId, (tx) => cabinetCard(tx, tenantId, cabinetId));
      },
    },
    'GET /pickup/cabinets/{number}/logo': {
      outside: async ({ params, address, now }) => {
        const { tenantId } = await cabinetOf(deps, params.number, { address, now });
        return deps.db.tenant(tenantId, (tx) => cabinetLogo(tx, tenantId));
      },
    },
    'GET /occupations/token/{token}': {
      outside: async ({ params, address, now }) => {
        const held = await byToken(deps, params.token, { address, now });
        const { o, row, place } = await deps.db.tenant(held.tenantId, (tx) => pickupFacts(tx, held, now));
        return {
          id: o.id,
          type: o.type,
          stage: o.stage,
          stageName: stageName(o.stage),
          site: place.site_name,
          cabinet: place.name,
          doorTag: o.doorTag,
          price: o.price,
          until: row.due_at ?? (o.stage <= STAGES.INITIATED ? o.reservedUntil : o.pickupBy),
        };
      },
    },
  });
  serve(app, deps, offers, {
    'GET /pickup/cabinets/{number}/offers': ({ tx, caller, params, now }) => offersAt(tx, deps, caller, params.number, now),
    'POST /pickup/take': ({ tx, caller, body, now }) => take(tx, deps, caller, body, now),
    'POST /pickup/take/pay': { outside: ({ caller, again, body, now }) => payOffer(deps, caller, again, body, now) },
  });
};
