import { BAR, el, PLACES, shell } from './shell.ts';
import type { Words } from './words.ts';

const WORDS = {
  en: {
    title: 'Sandbox',
    lead: 'Everything you have no hardware or account for, simulated. It speaks the real protocols, and you can make it fail.',
    cabinetsText: 'See and click the doors, put things in, take them out, jam a door, pull the plug.',
    inboxText: 'Every SMS and e-mail sent, with their links.',
    vippsText: 'The payer’s phone, to approve or refuse, and the payment provider’s books.',
    wooText: 'Make an order, change it, and see what the lockers write back.',
    directoryText: 'Add, move, disable or delete people, and see what the portal takes over.',
    assetsText: 'Ask for a drill, mark something returned, and see what the lockers hand out.',
    portal: 'Staff portal',
    portalText: 'Where staff hand out, open and follow up lockers.',
    endUser: 'End-user site',
    endUserText: 'Where receivers open their locker with a code or a link.',
    people: 'People of the demo',
    password: 'The password is always demo. These logins exist only in this sandbox.',
    admin: 'administrator',
    counter: 'hands out deliveries at the counter',
    shop: 'looks after the shop',
    scoped: 'no role; may deliver to one cabinet',
    guest: 'no access; lands on the end-user site',
    other: 'administrator of another company',
    both: 'counter in one company, administrator in the other',
  },
  nb: {
    title: 'Sandkasse',
    lead: 'Alt du ikke har utstyr eller konto til, simulert. Det bruker de ekte protokollene, og du kan få det til å svikte.',
    cabinetsText: 'Se og klikk på dørene, legg inn, ta ut, sett en dør fast, trekk ut støpselet.',
    inboxText: 'Alle sendte SMS og e-poster, med lenkene.',
    vippsText: 'Betalerens telefon, til å godkjenne eller avslå, og betalingsleverandørens regnskap.',
    wooText: 'Lag en ordre, endre den, og se hva lukene skriver tilbake.',
    directoryText: 'Legg til, flytt, deaktiver eller slett folk, og se hva portalen overtar.',
    assetsText: 'Be om en drill, merk noe som levert, og se hva lukene leverer ut.',
    portal: 'Ansattportal',
    portalText: 'Der ansatte leverer ut, åpner og følger opp luker.',
    endUser: 'Sluttbrukerside',
    endUserText: 'Der mottakere åpner luken sin med kode eller lenke.',
    people: 'Folkene i demoen',
    password: 'Passordet til alle er demo. Disse innloggingene finnes bare i denne sandkassen.',
    admin: 'administrator',
    counter: 'leverer ut i skranken',
    shop: 'passer butikken',
    scoped: 'ingen rolle; kan levere til ett skap',
    guest: 'ingen tilgang; havner på sluttbrukersiden',
    other: 'administrator i en annen bedrift',
    both: 'skranke i én bedrift, administrator i en annen',
  },
} satisfies Words<string>;

const lang = shell('start');
const words = WORDS[lang];
document.title = `Hatchway – ${words.title}`;

const tile = (href: string, title: string, text: string) =>
  el('a', { class: 'card tile', href }, el('h2', {}, title), el('p', { class: 'dim' }, text));
const person = (email: string, what: string) => el('tr', {}, el('th', { scope: 'row' }, el('code', {}, email)), el('td', {}, what));

document
  .getElementById('main')
  ?.append(
    el('section', { class: 'lead' }, el('h1', {}, words.title), el('p', { class: 'dim' }, words.lead)),
    el(
      'div',
      { class: 'tiles' },
      ...PLACES.map((place) => tile(`/sandbox/${place}`, BAR[lang][place], words[`${place}Text`])),
      tile('/portal/', words.portal, words.portalText),
      tile('/', words.endUser, words.endUserText),
    ),
    el(
      'section',
      { class: 'card' },
      el('h2', {}, words.people),
      el('p', { class: 'dim' }, words.password),
      el(
        'table',
        { class: 'people' },
        el(
          'tbody',
          {},
          person('admin@demo.test', words.admin),
          person('counter@demo.test', words.counter),
          person('shop@demo.test', words.shop),
          person('scoped@demo.test', words.scoped),
          person('guest@demo.test', words.guest),
          person('admin@other.test', words.other),
          person('both@demo.test', words.both),
        ),
      ),
    ),
  );
