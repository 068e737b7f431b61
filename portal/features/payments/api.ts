import type { CallInput, Client } from '@hatchway/contract/client.ts';
import type { Payment } from '@hatchway/contract/payments.ts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { isAnswered } from '../../app/once.ts';
import { usePortal } from '../../app/portal.ts';

export type { Payment };

export const paymentQuery = (api: Client, id: string) =>
  queryOptions({ queryKey: ['payments', id], queryFn: ({ signal }) => api('GET /payments/{id}', { params: { id }, signal }) });

/** Payments of one occupation, newest first: as many as one looks at beside it. */
export const paymentsOfQuery = (api: Client, occupationId: string) =>
  queryOptions({
    queryKey: ['payments', 'of', { q: { occupationId } }],
    queryFn: ({ signal }) => api('GET /payments', { query: { q: { occupationId }, limit: 20 }, signal }),
  });

/** Those on which a customer of this stock can be let in. */
export const reservedOfQuery = (api: Client, occupationId: string) =>
  queryOptions({
    queryKey: ['payments', 'of', { q: { occupationId, state: 'reserved' } }],
    queryFn: ({ signal }) => api('GET /payments', { query: { q: { occupationId, state: 'reserved' }, limit: 100 }, signal }),
  });

/** By whom money can be taken now; asked anew by whoever is about to take some. */
export const providersQuery = (api: Client) =>
  queryOptions({
    queryKey: ['payment-providers', 'list'],
    queryFn: ({ signal }) => api('GET /payments/providers', { signal }),
    staleTime: 0,
  });

type Update = NonNullable<CallInput<'PUT /payments/update'>['body']>;
type Start = NonNullable<CallInput<'POST /payments'>['body']>;
export type Move = 'refund' | 'cancel' | 'capture';

/** Commands on payments; what each answers is shown everywhere at once. */
export function usePaymentCommands() {
  const { api, applyChange } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Payment>, method: 'POST' | 'PUT' = 'PUT'): Promise<Payment> => {
      const payment = await answer;
      applyChange({ noun: 'payments', method, data: payment });
      return payment;
    };
    return {
      start: (body: Start, idempotencyKey: string) => shown(api('POST /payments', { body, idempotencyKey }), 'POST'),
      /** Lets its customer in, on this payment and no other. */
      handOut: async (payment: Payment, occupationId: string): Promise<void> => {
        const body = { action: 'claim', id: occupationId, paymentId: payment._id } as const;
        applyChange({ noun: 'occupations', method: 'PUT', data: await api('PUT /occupations/assign', { body }) });
      },
      update: (body: Update) => shown(api('PUT /payments/update', { body })),
      /** By `version`: of two presses that name the same one, the second moves no money (`useMoveOnce`). */
      move: (move: Move, { _id, version }: Pick<Payment, '_id' | 'version'>, amount: number | null) => {
        if (move === 'cancel') return shown(api('PUT /payments/cancel', { body: { _id, version } }));
        const body = { _id, version, ...(amount === null ? {} : { amount }) };
        return shown(move === 'refund' ? api('PUT /payments/refund', { body }) : api('PUT /payments/capture', { body }));
      },
    };
  }, [api, applyChange]);
}

/**
 * Moves money once: what is pressed again after an answer that was lost is asked under the version of the first press, whatever was told
 * of the payment meanwhile, and the server refuses it as `stale` where it was done. One that was answered, with whatever, is done with.
 */
export function useMoveOnce() {
  const { move } = usePaymentCommands();
  const unanswered = useRef<number | null>(null);
  return async (what: Move, { _id, version }: Payment, amount: number | null): Promise<Payment> => {
    unanswered.current ??= version;
    try {
      const payment = await move(what, { _id, version: unanswered.current }, amount);
      unanswered.current = null;
      return payment;
    } catch (error) {
      if (isAnswered(error)) unanswered.current = null;
      throw error;
    }
  };
}

/** Ends what its payer has not approved yet. */
export function useWithdraw(payment: Payment) {
  const moveOnce = useMoveOnce();
  return useMutation({ mutationFn: () => moveOnce('cancel', payment, null) });
}

/**
 * Starts a payment that is not started twice: the same wish after an answer that was lost is the same request again. One that was
 * answered, with whatever, is done with.
 */
export function useStartOnce() {
  const { start } = usePaymentCommands();
  const last = useRef({ body: '', key: '' });
  return async (body: Start): Promise<Payment> => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    try {
      const payment = await start(body, last.current.key);
      last.current = { body: '', key: '' };
      return payment;
    } catch (error) {
      if (isAnswered(error)) last.current = { body: '', key: '' };
      throw error;
    }
  };
}
