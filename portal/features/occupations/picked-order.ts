import type { CallResult } from '@hatchway/contract/client.ts';
import { usePortal } from '../../app/portal.ts';
import { orderShopsQuery, writtenOrdersQuery } from './api.ts';
import { emptyDraft, orderNumber, type Draft } from './draft.ts';

export type Order = CallResult<'GET /orders'>[number];

/** As much as a receiver's may hold; shops allow more. */
const MOST_NAME = 100;

export const contentOf = ({ lines }: Pick<Order, 'lines'>): string =>
  lines
    .map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`))
    .join(', ')
    .slice(0, 200);

/** Takes back what the picked order brought. A content that was changed since is not the order's any more. */
const withoutOrder = ({ order, asset, text }: Draft): Partial<Draft> =>
  order === null
    ? {}
    : { order: null, receiver: emptyDraft('order', '').receiver, ...(asset === null && text === order.content ? { text: '' } : {}) };

/** Another number is another parcel: nobody gets it because an order before it was theirs. */
export const orderTyped = (draft: Draft, orderRef: string): Partial<Draft> => ({ ...withoutOrder(draft), orderRef });

/** What picking an order fills in, in place of what one before it brought. */
export const orderPicked = (draft: Draft, one: Order): Partial<Draft> => {
  const { asset, text } = { ...draft, ...withoutOrder(draft) };
  const { name, tlf, email } = one.customer;
  const content = asset === null && text.trim() === '' ? contentOf(one) : null;
  return {
    orderRef: one.number,
    order: { id: one.id, content },
    receiver: { name: name.slice(0, MOST_NAME), tlf: tlf ?? '', email: email ?? '' },
    samePerson: false,
    text: content ?? text,
  };
};

/** Whether a number stands there of which it is not known yet whose it is. */
export const isOrderWritten = (draft: Draft): boolean => draft.order === null && orderNumber(draft) !== '';

/** Answers what the order brings whose number was written; undefined where none has it, or more than one. */
export function useOrderWritten() {
  const { api, queryClient } = usePortal();
  return async (draft: Draft): Promise<Partial<Draft> | undefined> => {
    const shops = await queryClient.fetchQuery(orderShopsQuery(api)).catch(() => []);
    const query = writtenOrdersQuery(
      api,
      orderNumber(draft),
      shops.map(({ shop }) => shop),
    );
    const [one, ...more] = await queryClient.fetchQuery(query).catch(() => []);
    return one === undefined || more.length > 0 ? undefined : orderPicked(draft, one);
  };
}
