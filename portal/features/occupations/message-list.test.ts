import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import type { Message } from './api.ts';
import { fateOf } from './message-list.tsx';

it('until when a message waits for the end of the quiet hours is a day and a time', () => {
  const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction;
  const waiting = { state: 'queued', error: null, notBefore: '2999-05-02T05:00:00.000Z' } as Message;
  expect(fateOf(waiting, t)).toMatch(/waitsUntil.*"0[123]\.05\.2999 \d\d:\d\d:\d\d"/);
});
