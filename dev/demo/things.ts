import type { CallInput } from '@hatchway/contract/client.ts';
import type { Motif } from './picture.ts';

type DemoAsset = {
  name: string;
  data: Record<string, unknown>;
  code: string;
  motif: Motif;
  /** Else the company's usual one. */ label?: 'undeployable';
};

/** In English, as all that the company named by itself. */
export const demoLabels = { deployable: 'Ready', pending: 'Being prepared', undeployable: 'In repair', archived: 'Retired' } as const;

/** `code` is what stands on the thing as a barcode, so that a scanner (or typing) finds it. */
export const demoAssets: DemoAsset[] = [
  { name: 'Laptop 14" no. 1', data: { serial: 'NL-1001', ram: '32 GB' }, code: '7090001000011', motif: { shape: 'screen', hue: 205 } },
  { name: 'Laptop 14" no. 2', data: { serial: 'NL-1002', ram: '32 GB' }, code: '7090001000028', motif: { shape: 'screen', hue: 215 } },
  { name: 'Cordless drill', data: { make: 'Skrue', volts: 18 }, code: '7090001000035', motif: { shape: 'cross', hue: 28 } },
  { name: 'Laser level', data: { make: 'Vater', calibrated: '2026-05' }, code: '7090001000042', motif: { shape: 'bar', hue: 350 } },
  { name: 'Projector', data: { lumen: 3200 }, code: '7090001000059', motif: { shape: 'disc', hue: 265 } },
  { name: 'First-aid kit', data: { checked: '2026-09-01' }, code: '7090001000066', motif: { shape: 'cross', hue: 140 } },
  { name: 'Work gloves, pair', data: { size: 'L' }, code: '7090001000073', motif: { shape: 'box', hue: 45 } },
  { name: 'Coffee, 250 g', data: { roast: 'medium' }, code: '7090001000080', motif: { shape: 'box', hue: 22 } },
  { name: 'Bicycle pump', data: { valve: 'all' }, code: '7090001000097', motif: { shape: 'bar', hue: 190 } },
  { name: 'Spare parts box', data: { order: 'SO-4411' }, code: '7090001000103', motif: { shape: 'box', hue: 175 } },
  {
    name: 'Measuring wheel',
    data: { accuracy: '0.5 %' },
    code: '7090001000110',
    motif: { shape: 'ring', hue: 100 },
    label: 'undeployable',
  },
  { name: 'Tablet for inventory', data: { serial: 'NL-2001' }, code: '7090001000127', motif: { shape: 'screen', hue: 240 } },
];

export const demoAssetGroups = [
  {
    name: 'Tools',
    description: 'What is lent out for a week',
    holds: ['Cordless drill', 'Laser level', 'Bicycle pump', 'Measuring wheel'],
  },
  {
    name: 'IT',
    description: 'What has a serial number',
    holds: ['Laptop 14" no. 1', 'Laptop 14" no. 2', 'Projector', 'Tablet for inventory'],
  },
];

export const demoPolicies: CallInput<'POST /policies'>['body'][] = [
  { name: 'Parcels', ref: 'parcels', services: ['delivery'], reserveMinutes: 60, pickupHours: 72, reminders: [-24, 24] },
  { name: 'Tools for a week', ref: 'tools', services: ['lending'], loanHours: 168, maxActivePerPerson: 3, inspectReturns: true },
  { name: 'Supplies', ref: 'supplies', services: ['consumable'] },
  { name: 'Cloakroom', ref: 'cloakroom', services: ['storage'], pickupHours: 24 },
  { name: 'Counter shop', ref: 'shop', services: ['sale'], price: { amount: 8900, currency: 'NOK' } },
];

export const receivers = [
  { name: 'Ingrid Solberg', tlf: '+4791000001', email: 'ingrid@people.test' },
  { name: 'Amir Hassan', tlf: '+4791000002', email: 'amir@people.test' },
  { name: 'Lars Nygård', tlf: '+4791000003', email: 'lars@people.test' },
  { name: 'Maja Lindqvist', tlf: '+4791000004', email: 'maja@people.test' },
  { name: 'Nils Berg', tlf: '+4791000005', email: 'nils@people.test' },
  { name: 'Zofia Kowalska', tlf: '+4791000006', email: 'zofia@people.test' },
] as const;
