import { z } from 'zod';
import { DOOR_TAG_MAX, sameTag } from '@hatchway/domain/codes.ts';
import { COLUMN_WIDTH, COLUMNS_AT_MOST, COMPARTMENT_MOST, DOOR_HEIGHT, DOORS_AT_MOST } from '@hatchway/domain/layout.ts';
import { CONNECTIONS, REACHES, SERVICES, SIZES } from '@hatchway/domain/terms.ts';
import { code, id, idParams, line, lines, name, time, tlf, version } from './common.ts';
import { pairingAnswer, pairingRequest } from './devices.ts';
import { closedDays, hours } from './hours.ts';
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
    openingHours: z.string().describe('In words, shown as they are written'),
    /** What is reckoned with: messages name them beside a deadline, and staff see where one falls on a closed day. Empty: nobody said. */
    hours,
    closedDays,
    tlf: z.string(),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Site' });
export type Site = z.infer<typeof site>;

/** A wall as it stands: columns from left to right, doors from top to bottom. Units: millimetres. */
export const columns = z.array(z.object({ width: z.number(), doors: z.array(z.object({ lockerId: id, height: z.number() })) }));

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
    connectionAt: time.nullable().describe('Since when it is online or offline, as far as we heard; null where it never was online'),
    twoControllers: z
      .boolean()
      .describe(
        'Two controllers sign in with its credential and throw each other out: it is offline until one is gone, or it is paired anew',
      ),
    lastSeenAt: time.nullable(),
    clockBehind: z
      .int()
      .describe('By how many minutes its clock is behind, two or more; below 0 it is ahead. 0: it is right, or nobody knows'),
    keypadShut: z
      .object({ since: time, until: time })
      .nullable()
      .describe('Wrong pick-up codes shut its keypad to all of them; links go on. Past until it is over'),
    firmware: z.string().nullable(),
    canLock: z.boolean(),
    hasSensors: z.boolean(),
    pairing: z.enum(['unpaired', 'waiting', 'paired']),
    pairingUntil: time.nullable().describe('Until when a pairing code that was given out can be used'),
    /** Grows with what people change of it, not with what its controller says. */
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Cabinet' });
export type Cabinet = z.infer<typeof cabinet>;

const siteInput = z.strictObject({
  name: name(100),
  address: lines(300).optional(),
  lat: z.number().min(-90).max(90).nullable().optional(),
  lng: z.number().min(-180).max(180).nullable().optional(),
  openingHours: lines(300).optional(),
  hours: hours.optional(),
  closedDays: closedDays.optional(),
  tlf: tlf.optional(),
});
export type SiteInput = z.input<typeof siteInput>;

const words = {
  name: line(100).optional(),
  reach: z.enum(REACHES).optional(),
  services: z.array(z.enum(SERVICES)).max(SERVICES.length).describe('For which services alone; empty: every one').optional(),
  policyRef: code(100).nullable().optional(),
};
/** As it is stored, in capitals; whether it could be typed and scanned is a rule of the wall (domain/layout.ts). */
const doorTag = z.string().overwrite(sameTag).min(1).max(DOOR_TAG_MAX);
const width = z.number().min(COLUMN_WIDTH.least).max(COLUMN_WIDTH.most);
const height = z.number().min(DOOR_HEIGHT.least).max(DOOR_HEIGHT.most);
const compartment = z.int().min(1).max(COMPARTMENT_MOST);
/** A door of a wall that is changed: one that is there by its locker, whose fields stay as they are where they are left out; or a new one. */
const changedDoor = z.strictObject({
  lockerId: id.optional(),
  height,
  doorTag: doorTag.optional(),
  compartment: compartment.optional(),
  size: z.enum(SIZES).optional(),
  ...words,
});
export type ChangedDoor = z.input<typeof changedDoor>;
/**
 * `columns` is the whole wall: a locker that is missing there is taken away. How many doors a column may have is a rule of the wall
 * (domain/layout.ts): one that has more already can be saved as it stands.
 */
const cabinetChange = z.strictObject({
  version,
  name: name(100).optional(),
  number: z.int().min(100).max(999_999).optional(),
  siteId: id.optional(),
  columns: z
    .array(z.strictObject({ width, doors: z.array(changedDoor) }))
    .max(COLUMNS_AT_MOST)
    .optional(),
});
export type CabinetChange = z.input<typeof cabinetChange>;

const lockerInput = z.strictObject({
  cabinetId: id,
  doorTag,
  size: z.enum(SIZES),
  compartment: compartment.optional().describe('The controller’s number for it; the lowest free one where none is said'),
  /** Which column it is put at the foot of, from 0; the last one where none is said. */
  column: z
    .int()
    .min(0)
    .max(COLUMNS_AT_MOST - 1)
    .optional(),
  height: height.default(300),
  ...words,
});
const lockerChange = z.strictObject({
  version,
  doorTag: doorTag.optional(),
  compartment: compartment.optional(),
  size: z.enum(SIZES).optional(),
  ...words,
});

/** `number` is what stands on the cabinet and is typed with a pick-up code (three digits at least, or nobody could type it); the server gives the next free one where none is said. Doors are made with it. */
const cabinetInput = z.strictObject({
  siteId: id,
  name: name(100),
  number: z.int().min(100).max(999_999).optional(),
  columns: z
    .array(
      z.strictObject({
        width,
        doors: z.array(z.strictObject({ doorTag, compartment, size: z.enum(SIZES), height, reach: words.reach })).max(DOORS_AT_MOST),
      }),
    )
    .max(COLUMNS_AT_MOST),
});

export const sites = [
  route({
    method: 'GET',
    path: '/sites',
    access: 'portal',
    summary: 'Sites',
    query: listQuery({ fields: { id: 'uuid', name: 'text' }, sorts: ['createdAt', 'name'] }),
    response: z.array(site),
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
    method: 'PUT',
    path: '/sites/{id}',
    access: 'builder',
    summary: 'Change a site; what is not given stays as it was',
    params: idParams,
    body: siteInput.extend({ version }),
    response: site,
    errors: ['name-taken', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/sites/{id}',
    access: 'builder',
    summary: 'Delete a site where no cabinet stands',
    params: idParams,
    response: 'nothing',
    errors: ['in-use-elsewhere'],
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
  }),
  route({
    method: 'GET',
    path: '/cabinets/{id}',
    access: 'portal',
    summary: 'One cabinet',
    params: idParams,
    response: cabinet,
  }),
  route({
    method: 'GET',
    path: '/cabinets/{id}/lockers',
    access: 'portal',
    summary: 'The whole wall of a cabinet: all of its lockers that the caller may see',
    params: idParams,
    response: z.array(locker),
  }),
  route({
    method: 'POST',
    path: '/cabinets',
    access: 'builder',
    summary: 'Make a cabinet with its doors',
    body: cabinetInput,
    response: cabinet,
    errors: ['unknown-reference', 'name-taken', 'rule', 'unavailable'],
  }),
  route({
    method: 'PUT',
    path: '/cabinets/{id}',
    access: 'builder',
    summary: 'Change a cabinet, and with `columns` its whole wall: all or nothing',
    params: idParams,
    body: cabinetChange,
    response: cabinet,
    errors: ['stale', 'doors-in-use', 'name-taken', 'unknown-reference', 'rule', 'in-use-elsewhere'],
  }),
  route({
    method: 'DELETE',
    path: '/cabinets/{id}',
    access: 'builder',
    summary: 'Delete a cabinet with its lockers; its controller is unpaired',
    params: idParams,
    response: 'nothing',
    errors: ['doors-in-use', 'in-use-elsewhere'],
  }),
  route({
    method: 'POST',
    path: '/lockers',
    access: 'builder',
    summary: 'Add a locker to a cabinet’s wall',
    body: lockerInput,
    response: locker,
    errors: ['name-taken', 'unknown-reference', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}',
    access: 'builder',
    summary: 'Change a locker; what is left out stays as it is',
    params: idParams,
    body: lockerChange,
    response: locker,
    errors: ['stale', 'doors-in-use', 'name-taken', 'unknown-reference', 'rule'],
  }),
  route({
    method: 'DELETE',
    path: '/lockers/{id}',
    access: 'builder',
    summary: 'Take a locker off its wall',
    params: idParams,
    response: 'nothing',
    errors: ['doors-in-use', 'in-use-elsewhere'],
  }),
  route({
    method: 'DELETE',
    path: '/cabinets/{id}/pair',
    access: 'builder',
    summary: 'Unpair: the controller’s credential and any open code die',
    params: idParams,
    response: cabinet,
  }),
  route({
    method: 'POST',
    path: '/cabinets/{id}/pair',
    access: 'builder',
    summary: 'A pairing code for the controller: 8 characters, valid for 10 minutes, once',
    params: idParams,
    response: z.object({ code: z.string(), expiresAt: time }),
    secret: true,
  }),
  route({
    method: 'POST',
    path: '/cabinets/{id}/keypad',
    access: 'builder',
    summary: 'Take codes again at a cabinet whose keypad wrong ones shut: they are counted anew',
    params: idParams,
    response: cabinet,
  }),
  route({
    method: 'POST',
    path: '/devices/pair',
    access: 'public',
    summary: 'A controller trades its pairing code for its own credential',
    body: pairingRequest,
    response: pairingAnswer,
    errors: ['gone', 'suspended'],
    secret: true,
  }),
] as const;
