import { CONDITIONS, isLendable, type Asset, type Entry, type Person, type Store } from './store.ts';

/** The rows of Snipe-IT's API, by snipe/snipe-it v8.1.4: app/Http/Transformers, app/Helpers/Helper.php (getFormattedDateObject). */

/** Its own clock, which no answer names the zone of. */
const ZONE = 'Europe/Oslo';
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
const moment = (at: number) => ({ datetime: clock.format(new Date(at)), formatted: clock.format(new Date(at)) });
const day = (until: string) => ({ date: until.slice(0, 10), formatted: until.slice(0, 10) });
/** Laravel's e(): every text is written as in a page. */
export const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;');
const namesOf = ({ name }: Person) => {
  const [first = '', ...rest] = name.split(' ');
  return { first_name: inHtml(first), last_name: inHtml(rest.join(' ')) };
};
const MODEL = { id: 1, name: 'Tool' };
const fullName = ({ name, tag }: Asset): string => `${name} (${tag}) - ${MODEL.name}`;

export function assetView(asset: Asset, store: Store, address: string): Record<string, unknown> {
  const holder = store.person(asset.holderId);
  const label = CONDITIONS.find(({ id }) => id === asset.condition);
  const entries = store.entries().filter(({ assetId }) => assetId === asset.id);
  const lastOf = (action: Entry['action']) => entries.findLast((one) => one.action === action);
  const [out, back] = [lastOf('checkout'), lastOf('checkin from')];
  return {
    id: asset.id,
    name: inHtml(asset.name),
    asset_tag: inHtml(asset.tag),
    serial: '',
    model: MODEL,
    byod: false,
    requestable: true,
    model_number: null,
    eol: null,
    asset_eol_date: null,
    status_label: label && {
      id: label.id,
      name: inHtml(label.name),
      status_type: label.type,
      status_meta: holder ? 'deployed' : label.type,
    },
    category: { id: 1, name: 'Tools' },
    manufacturer: null,
    supplier: null,
    notes: null,
    order_number: null,
    company: null,
    location: null,
    rtd_location: null,
    image: null,
    qr: `${address}/uploads/barcodes/qr-${asset.id}.png`,
    alt_barcode: null,
    assigned_to: holder && {
      id: holder.id,
      username: inHtml(holder.email ?? ''),
      name: inHtml(holder.name),
      ...namesOf(holder),
      email: holder.email && inHtml(holder.email),
      employee_number: null,
      type: 'user',
    },
    warranty_months: null,
    warranty_expires: null,
    created_at: moment(asset.created),
    updated_at: moment(asset.modified),
    last_audit_date: null,
    next_audit_date: null,
    deleted_at: null,
    purchase_date: null,
    last_checkout: out ? moment(out.at) : null,
    last_checkin: back ? moment(back.at) : null,
    expected_checkin: asset.until === null ? null : day(asset.until),
    purchase_cost: null,
    checkin_counter: entries.filter(({ action }) => action === 'checkin from').length,
    checkout_counter: entries.filter(({ action }) => action === 'checkout').length,
    requests_counter: entries.filter(({ action }) => action === 'requested').length,
    user_can_checkout: !holder && isLendable(asset.condition),
    custom_fields: {},
    available_actions: { checkout: true, checkin: true, clone: true, restore: false, update: true, delete: !holder },
  };
}

export const userView = (person: Person, store: Store): Record<string, unknown> => ({
  id: person.id,
  avatar: '',
  name: inHtml(person.name),
  ...namesOf(person),
  username: inHtml(person.email ?? `user-${person.id}`),
  remote: false,
  employee_num: null,
  manager: null,
  jobtitle: null,
  phone: person.tlf && inHtml(person.tlf),
  email: person.email && inHtml(person.email),
  department: null,
  location: null,
  notes: '',
  activated: true,
  assets_count: store.assets().filter(({ holderId }) => holderId === person.id).length,
  company: null,
  created_at: moment(person.created),
  updated_at: moment(person.created),
  deleted_at: null,
  available_actions: { update: true, delete: false, clone: true, restore: false },
  groups: null,
});

export const labelView = ({ id, name, type }: (typeof CONDITIONS)[number], store: Store): Record<string, unknown> => {
  const many = store.assets().filter(({ condition }) => condition === id).length;
  return {
    id,
    name: inHtml(name),
    type,
    color: null,
    show_in_nav: false,
    default_label: id === 1,
    assets_count: many,
    notes: '',
    created_at: null,
    updated_at: null,
    available_actions: { update: true, delete: many === 0 },
  };
};

export function entryView({ id, at, action, assetId, personId, note }: Entry, store: Store): Record<string, unknown> {
  const asset = assetId === null ? null : store.asset(assetId);
  const person = store.person(personId);
  return {
    id,
    icon: 'fas fa-barcode',
    file: null,
    item: asset && { id: asset.id, name: inHtml(fullName(asset)), type: 'asset', serial: null },
    location: null,
    created_at: moment(at),
    updated_at: moment(at),
    action_type: action,
    target: person && { id: person.id, name: inHtml(person.name), type: 'user' },
    note: note === '' ? null : inHtml(note),
    log_meta: null,
    action_source: 'api',
    action_date: moment(at),
  };
}
