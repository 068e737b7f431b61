import { describe, expect, it } from 'vitest';
import { phoneFault, phoneNumber } from './phone.ts';

describe('a telephone number', () => {
  it.each([
    ['91234567', 'NO', '+4791234567'],
    ['912 34 567', 'NO', '+4791234567'],
    ['4791234567', 'NO', '+4791234567'],
    ['+4791234567', 'SE', '+4791234567'],
    ['0047 91 23 45 67', 'NO', '+4791234567'],
    ['+47 (0) 912 34 567', 'NO', '+4791234567'],
    ['tel:+47-912-34-567', 'NO', '+4791234567'],
    ['９１２３４５６７', 'NO', '+4791234567'],
    ['\u202a+47\u00a0912\u201134\u2011567\u202c', 'NO', '+4791234567'],
    ['47123456', 'NO', '+4747123456'],
    ['070-123 45 67', 'SE', '+46701234567'],
    ['+46 (0)70/123 45 67', 'NO', '+46701234567'],
    ['20 12 34 56', 'DK', '+4520123456'],
    ['07400 123456', 'GB', '+447400123456'],
    ['06 12345678', 'IT', '+390612345678'],
    ['+39 (0) 6 12345678', 'NO', '+390612345678'],
    ['045 123 4567', 'FI', '+358451234567'],
    ['(212) 555-0100', 'US', '+12125550100'],
  ])('%j in %s is %s', (typed, country, number) => expect(phoneNumber(typed, country)?.number).toBe(number));

  it.each([
    ['9123456', 'NO'],
    ['912345678', 'NO'],
    ['116117', 'NO'],
    ['02800', 'NO'],
    ['112', 'NO'],
    ['59123456', 'NO'],
    ['+47091234567', 'NO'],
    ['+0123456789', 'NO'],
    ['99999999', 'XX'],
    ['99x99999', 'NO'],
    ['91234567 ext 5', 'NO'],
    ['91234567 / 92345678', 'NO'],
    ['+47912345671', 'NO'],
    ['0701234567', 'NO'],
    ['', 'NO'],
  ])('%j in %s is none', (typed, country) => expect(phoneNumber(typed, country)).toBeNull());

  it.each([
    ['21234567', 'NO', false],
    ['800 12 345', 'NO', false],
    ['+4682345678', 'NO', false],
    ['91234567', 'NO', true],
    ['+4520123456', 'NO', true],
    ['+12125550100', 'NO', true],
  ])('%j in %s takes an SMS: %s', (typed, country, takesSms) => {
    expect(phoneNumber(typed, country)?.takesSms).toBe(takesSms);
    expect(phoneFault(typed, country, 'sms') === null).toBe(takesSms);
    expect(phoneFault(typed, country, 'call')).toBeNull();
  });

  it('that is none says which country was assumed, where one was', () => {
    expect(phoneFault('9123456', 'NO', 'sms')).toMatchObject({
      detail: expect.stringContaining('in NO, which is assumed'),
      data: { country: 'NO' },
    });
    expect(phoneFault('+479123456', 'NO', 'sms')).toMatchObject({ data: { number: 'number', country: null } });
    expect(phoneFault('21234567', 'NO', 'sms')).toMatchObject({ data: { number: 'no-sms', country: 'NO' } });
  });
});
