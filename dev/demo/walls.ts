import type { CallInput } from '@hatchway/contract/client.ts';

type CabinetBody = CallInput<'POST /cabinets'>['body'];
type Size = 'XS' | 'S' | 'M' | 'L' | 'XL';

/** Millimetres; every column below adds up to 1800, as steel cabinets are built. */
const heights: Record<Size, number> = { XS: 100, S: 150, M: 300, L: 450, XL: 900 };
const column = { width: 450, wide: 600 };

const mixed: Size[] = ['M', 'M', 'M', 'M', 'L', 'S'];
const small: Size[] = ['S', 'S', 'S', 'M', 'M', 'M', 'S', 'S', 'S'];
const tiny: Size[] = ['XS', 'XS', 'XS', 'M', 'M', 'M', 'M', 'XS', 'XS', 'XS'];
const large: Size[] = ['L', 'XL', 'L'];

export const demoSites: CallInput<'POST /sites'>['body'][] = [
  { name: 'Oslo S', address: 'Jernbanetorget 1, 0154 Oslo', lat: 59.9111, lng: 10.7528, openingHours: '06–24', tlf: '+4722000000' },
  {
    name: 'Bergen Bryggen',
    address: 'Bryggen 17, 5003 Bergen',
    lat: 60.3975,
    lng: 5.3245,
    openingHours: '',
    hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '20:00' })),
    tlf: '+4755000000',
  },
];

export type DemoCabinet = {
  site: string;
  name: string;
  number: number;
  prefix: string;
  columns: Size[][];
  canLock: boolean;
  hasSensors: boolean;
};

/** Three cabinets in two sites, 61 doors. The second has no occupancy sensors: what lies in it is believed, not known. */
export const demoCabinets: DemoCabinet[] = [
  { site: 'Oslo S', name: 'Main hall', number: 101, prefix: 'A', columns: [small, mixed, large, mixed], canLock: true, hasSensors: true },
  { site: 'Oslo S', name: 'West entrance', number: 102, prefix: 'B', columns: [tiny, mixed, large], canLock: false, hasSensors: false },
  { site: 'Bergen Bryggen', name: 'Quay', number: 201, prefix: 'C', columns: [mixed, small, large], canLock: true, hasSensors: true },
];

const reachOf = (above: number): 'low' | 'middle' | 'high' => (above < 400 ? 'high' : above < 1300 ? 'middle' : 'low');

/** The cabinet's doors as the API takes them, numbered from the top left, column by column. */
export function columnsOf({ prefix, columns }: Pick<DemoCabinet, 'prefix' | 'columns'>): CabinetBody['columns'] {
  let number = 0;
  return columns.map((sizes) => {
    let above = 0;
    return {
      width: sizes === large ? column.wide : column.width,
      doors: sizes.map((size) => {
        number++;
        const door = {
          doorTag: `${prefix}${String(number).padStart(2, '0')}`,
          compartment: number,
          size,
          height: heights[size],
          reach: reachOf(above),
        };
        above += heights[size];
        return door;
      }),
    };
  });
}
