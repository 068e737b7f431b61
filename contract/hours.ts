import { z } from 'zod';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm');
/** On the company's own clock. `to` before `from`, or equal to it, lies on the next day. */
export const hours = z.array(z.strictObject({ day: z.int().min(1).max(7), from: clock, to: clock })).max(21);
/** Dates on which a place is closed whatever its hours say. */
export const closedDays = z.array(z.iso.date()).max(100);
