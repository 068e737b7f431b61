import { z } from 'zod';
import { PLACEHOLDERS, TEMPLATE_CHANNELS, TEMPLATE_KINDS } from '@hatchway/domain/template.ts';
import { seen, text, time, version } from './common.ts';
import { route } from './route.ts';

const key = { kind: z.enum(TEMPLATE_KINDS), channel: z.enum(TEMPLATE_CHANNELS), locale: z.enum(['en', 'nb']) } as const;
/** In characters; a subject is one line. */
const words = text(4000);
const subject = text(200).regex(/^[^\n\r]*$/, 'a subject is one line');

export const template = z
  .object({
    id: z.string().describe('Made of the three that name it'),
    ...key,
    subject: z.string().nullable().describe('Of mail alone'),
    text: z.string(),
    placeholders: z.array(z.enum(PLACEHOLDERS)).describe('What may stand in it, between { and }'),
    own: z.boolean().describe('Whether the company worded it itself; else the text is ours'),
    /** 0 until it was first worded; it goes on counting where it was given back, so that none comes twice. */
    version,
    updatedAt: time.nullable(),
  })
  .meta({ id: 'Template' });
export type Template = z.infer<typeof template>;

export const preview = z
  .object({
    subject: z.string().nullable(),
    text: z.string(),
    html: z.string().nullable().describe('The whole mail as its receiver sees it'),
    sms: z.object({ alphabet: z.enum(['gsm', 'unicode']), characters: z.int(), parts: z.int() }).nullable(),
  })
  .meta({ id: 'TemplatePreview' });

export const templates = [
  route({
    method: 'GET',
    path: '/templates',
    access: 'admin:templates',
    summary: 'The text of each message, by kind, channel and language: the company’s own, or ours',
    response: z.array(template),
  }),
  route({
    method: 'PUT',
    path: '/templates',
    access: 'admin:templates',
    summary: 'Word a message oneself',
    body: z.strictObject({ ...key, subject: subject.nullable().default(null), text: words, version }),
    response: template,
    errors: ['rule', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/templates',
    access: 'admin:templates',
    summary: 'Back to our text',
    body: z.strictObject({ ...key, version: seen }),
    response: template,
    errors: ['stale'],
  }),
  route({
    method: 'POST',
    path: '/templates/preview',
    access: 'admin:templates',
    summary: 'How a text would be sent, with sample data; without a text, the one that holds now',
    body: z.strictObject({ ...key, subject: subject.nullable().default(null), text: words.nullable().default(null) }),
    response: preview,
    errors: ['rule'],
  }),
] as const;
