import { z } from 'zod';
import { CONNECTIONS, REACHES, SIZES } from '@hatchway/domain/terms.ts';
import { id, idParams, text, time } from './common.ts';
import { pairingAnswer, pairingRequest } from './devices.ts';
import { listQuery } from './list.ts';
import { locker } from './lockers.ts';
import { route } from './route.ts';

export const site = z
  .object({
    id,
    tenantId: id,
    name: z.string(),
    address: z.string(),
    lat: z.number().nullable(),
    lng: z.number().nullable(),
    openingHours: z.string(),
    tlf: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Site' });
export type Site = z.infer<typeof site>;

/** A wall as it stands: columns from left to right, doors from top to bottom. Units: millimetres. */
export const columns = z
  .array(
    z.object({
      width: z.number().min(50).max(3000),
      doors: z.array(z.object({ lockerId: id, height: z.number().min(30).max(3000) })).max(100),
    }),
  )
  .max(200);

export const cabinet = z
  .object({
    id,
    tenantId: id,
    number: z.int(),
    siteId: id,
    siteName: z.string(),
    name: z.string(),
    columns,
    connection: z.enum(CONNECTIONS),
    lastSeenAt: time.nullable(),
    firmware: z.string().nullable(),
    canLock: z.boolean(),
    hasSensors: z.boolean(),
    pairing: z.enum(['unpaired', 'waiting', 'paired']),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Cabinet' });
export type Cabinet = z.infer<typeof cabinet>;

const siteInput = z.strictObject({
  name: text(100),
  address: z.string().max(300).default(''),
  lat: z.number().min(-90).max(90).nullable().default(null),
  lng: z.number().min(-180).max(180).nullable().default(null),
  openingHours: z.string().max(300).default(''),
  tlf: z.string().max(20).default(''),
});
/** `number` is what stands on the cabinet and is typed with a pick-up code (three digits at least, or nobody could type it); the server gives the next free one where none is said. Doors are made with it. */
const cabinetInput = z.strictObject({
  siteId: id,
  name: text(100),
  number: z.int().min(100).max(999_999).optional(),
  columns: z
    .array(
      z.strictObject({
        width: z.number().min(50).max(3000),
        doors: z
          .array(
            z.strictObject({
              doorTag: text(20),
              compartment: z.int().min(1).max(999),
              size: z.enum(SIZES),
              height: z.number().min(30).max(3000),
              reach: z.enum(REACHES).optional(),
            }),
          )
          .max(100),
      }),
    )
    .max(200),
});

export const sites = [
  route({
    method: 'GET',
    path: '/sites',
    access: 'portal',
    summary: 'Sites',
    query: listQuery({ fields: { id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'] }),
    response: z.array(site),
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/sites',
    access: 'builder',
    summary: 'Make a site',
    body: siteInput,
    response: site,
    errors: ['name-taken'],
  }),
  route({
    method: 'GET',
    path: '/cabinets',
    access: 'portal',
    summary: 'Cabinets',
    query: listQuery({
      fields: { id: 'uuid', siteId: 'uuid', connection: 'text', number: 'int', name: 'text' },
      sorts: ['createdAt', 'name', 'number'],
    }),
    response: z.array(cabinet),
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/cabinets/{id}',
    access: 'portal',
    summary: 'One cabinet',
    params: idParams,
    response: cabinet,
    errors: [],
  }),
  route({
    method: 'GET',
    path: '/cabinets/{id}/lockers',
    access: 'portal',
    summary: 'The whole wall of a cabinet: all of its lockers that the caller may see',
    params: idParams,
    response: z.array(locker),
    errors: [],
  }),
  route({
    method: 'POST',
    path: '/cabinets',
    access: 'builder',
    summary: 'Make a cabinet with its doors',
    body: cabinetInput,
    response: cabinet,
    errors: ['unknown-reference', 'name-taken'],
  }),
  route({
    method: 'POST',
    path: '/cabinets/{id}/pair',
    access: 'builder',
    summary: 'A pairing code for the controller: 8 characters, valid for 10 minutes, once',
    params: idParams,
    response: z.object({ code: z.string(), expiresAt: time }),
    errors: [],
    secret: true,
  }),
  route({
    method: 'POST',
    path: '/devices/pair',
    access: 'public',
    summary: 'A controller trades its pairing code for its own credential',
    body: pairingRequest,
    response: pairingAnswer,
    errors: ['gone'],
    secret: true,
  }),
] as const;
