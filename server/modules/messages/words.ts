import { MISSED_MOST, WEBHOOK_KEPT_DAYS } from '@hatchway/domain/webhook.ts';
/** What a text may tell. What is not known is null and is left out. */
export type Told = {
  company: string;
  name: string;
  site: string | null;
  cabinet: string | null;
  door: string | null;
  link: string | null;
  code: string | null;
  until: string | null;
  type: string | null;
  /** When the place is open; and on the day of the deadline alone. */
  hours?: string | null;
  dayHours?: string | null;
  /** Staff have moved it from one locker to another. */
  moved?: boolean;
  /** What is to be paid for it before its door opens. */
  due?: string | null;
  /** Of what somebody is asked to bring back: what it is. */
  thing?: string | null;
  /** `until` has passed: it is late, or its clock stood still meanwhile, and nobody can say until when. */
  passed?: 'late' | 'waiting' | null;
  /** Of news about an address: whose it is; of several, which they are. */
  host?: string;
  /** It is told nothing more because whoever answered for that may no longer, and not for its answers. */
  makerGone?: boolean;
  /** Of news about a place: when it began. */
  since?: string | null;
  /** Of news about money: how much, as it is read; when, and under which reference. */
  sum?: string;
  at?: string;
};
export const NOTHING: Omit<Told, 'company' | 'name'> = {
  site: null,
  cabinet: null,
  door: null,
  link: null,
  code: null,
  until: null,
  type: null,
};
export type Locale = 'en' | 'nb';
/** What is to be brought back, where nobody wrote down what it is. */
export const UNNAMED: Readonly<Record<Locale, string>> = { en: 'what you have', nb: 'det du har' };
export type Said = {
  subject: string;
  text: string;
  /** One line for a phone; the link and code follow it. */
  short: string;
  button?: string;
  after?: string;
};
export type Labels = {
  greeting: (name: string) => string;
  site: string;
  cabinet: string;
  door: string;
  code: string;
  due: string;
  until: string;
  late: string;
  by: string;
  since: string;
  hours: string;
  /** Beside a deadline on a day on which the place does not open. */
  closedThen: string;
  codeShort: string;
  cabinetShort: string;
};

/** News for staff: what happened, and where; its words are all that a language changes. */
const toStaff = (t: Told, what: string): Said => ({
  subject: `${what}: ${t.door ?? t.cabinet ?? t.company}`,
  text: `${what}.`,
  short:
    `${t.company}: ${what.toLowerCase()}, ${[t.door ?? t.cabinet, t.site, t.since].filter((part) => part != null).join(', ')}.`.replace(
      /, \.$/,
      '.',
    ),
});

const EN = {
  // What is stored is its owner's own: nobody has put it there for them, and it does not come from the company.
  ready: (t) => ({
    subject:
      t.type === 'storage'
        ? `Your locker at ${t.site ?? t.company}`
        : t.moved === true
          ? `Moved to another locker at ${t.site ?? t.company}`
          : `Ready for you at ${t.site ?? t.company}`,
    text:
      t.moved === true
        ? `${t.company} has moved ${t.type === 'storage' ? 'what you store' : 'what is waiting for you'} to another locker. Here is where it lies now.`
        : t.type === 'storage'
          ? `You have a locker at ${t.company} for what you store.`
          : `${t.company} has put something into a locker for you.`,
    short:
      t.moved === true
        ? `${t.company}: ${t.type === 'storage' ? 'what you store' : 'what is waiting for you'} has been moved${t.door ? ` to locker ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
        : t.type === 'storage'
          ? `${t.company}: this is your locker${t.door ? `: ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
          : `${t.company}: something is waiting for you${t.door ? ` in locker ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Open the locker',
    after: 'The link and the code open your locker. Keep them to yourself.',
  }),
  request: (t) => ({
    subject: t.type === 'recall' ? `Please bring it back to ${t.company}` : `A locker is ready for your delivery to ${t.company}`,
    text:
      t.type === 'recall'
        ? `${t.company} asks you to bring back ${t.thing ?? UNNAMED.en}. We have set a locker aside for it.`
        : `${t.company} has set a locker aside for what you want to hand in.`,
    short:
      t.type === 'recall'
        ? `${t.company} asks you to bring back ${t.thing ?? UNNAMED.en}${t.door ? `: locker ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
        : `${t.company}: we have a locker for you${t.door ? `: ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Open the locker',
    after: 'The link and the code open this locker. Keep them to yourself.',
  }),
  reminder: (t) => ({
    subject: `Reminder from ${t.company}`,
    text:
      t.type === 'lending'
        ? `Please remember to bring back what you borrowed from ${t.company}.`
        : t.type === 'storage'
          ? `Please remember to fetch what you store at ${t.company}.`
          : `Something from ${t.company} is still waiting for you.`,
    short:
      t.type === 'lending'
        ? `${t.company}: please remember to bring back what you borrowed.`
        : t.type === 'storage'
          ? `${t.company}: please remember to fetch what you store${t.door ? ` in locker ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
          : `${t.company}: something is still waiting for you${t.door ? ` in locker ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Open the locker',
  }),
  // To who should have fetched it, and to who brought it.
  'taken-out': (t) => ({
    subject: `No longer in the locker at ${t.site ?? t.company}`,
    text: `${t.company} has taken out what lay in the locker. The link and the code no longer open it.`,
    short: `${t.company} has taken out what lay in ${t.door ? `locker ${t.door}` : 'the locker'}. The code no longer works.`,
    after: `Ask ${t.company} what happens next.`,
  }),
  invitation: (t) => ({
    subject: `You are invited to ${t.company}`,
    text: `You are invited to ${t.company} in Hatchway. Accept within 14 days.`,
    short: `You are invited to ${t.company} in Hatchway.`,
    button: 'Accept the invitation',
    after: 'Not expecting this? Do nothing.',
  }),
  'webhook-off': (t) => ({
    subject: `A webhook of ${t.company} is switched off`,
    text: `${t.makerGone ? `The administrator or API key that answered for the webhook to ${t.host ?? ''} no longer has the right to.` : `${t.host ?? ''} has failed for days, or said that it wants nothing more.`} We tell it nothing until somebody switches it on again. Meanwhile we keep what happens for ${WEBHOOK_KEPT_DAYS} days (${MISSED_MOST} events at most) and then send it in order.`,
    short: `${t.company}: the webhook to ${t.host ?? ''} is switched off.`,
    button: t.makerGone ? 'See the webhook' : 'See what went wrong',
  }),
  purchase: (t) => ({
    subject: `Your purchase from ${t.company}`,
    text: `You have bought ${t.thing ?? 'something'} for ${t.sum ?? ''}. Open the locker when you stand at it. To find the purchase again in the shop, use the code and your number.`,
    short: `${t.company}: you have bought ${t.thing ?? 'something'} for ${t.sum ?? ''}. Open the locker when you stand at it:`,
    button: 'Open the locker',
  }),
  receipt: (t) => ({
    subject: `Receipt from ${t.company}: ${t.sum ?? ''}`,
    text: `${t.thing ?? 'Your purchase'}: ${t.sum ?? ''}, paid with Vipps ${t.at ?? ''}. Thank you.`,
    short: `${t.company}: ${t.thing ?? 'your purchase'}, ${t.sum ?? ''}, paid with Vipps.`,
  }),
  'payment-not-taken': (t) => ({
    subject: `Your payment to ${t.company} was cancelled`,
    text: `No money is taken for the ${t.sum ?? ''} you approved: we did not hand out what you paid for.`,
    short: `${t.company}: your payment of ${t.sum ?? ''} was cancelled, no money is taken. We did not hand out what you paid for.`,
  }),
  'capture-ends': (t) => ({
    subject: `${t.sum ?? ''} reserved for ${t.company} will soon be released`,
    text: `A payment of ${t.sum ?? ''} is reserved. You can capture it until ${t.until ?? ''}; then the provider gives it back. If you handed out the goods, capture it; if not, cancel it.`,
    short: `${t.company}: capture or cancel the payment of ${t.sum ?? ''} before ${t.until ?? ''}.`,
    button: 'See the payment',
  }),
  'alerts-off': (t) => ({
    subject: `Somebody gets no more alerts from ${t.company}`,
    text: `The API key that had ${t.host ?? ''} alerted is revoked or has expired. No more alerts go there until somebody adds it again.`,
    short: `${t.company}: ${t.host ?? ''} gets no more alerts.`,
    button: 'See the alerts',
  }),
  'staff-dropped-off': (t) => toStaff(t, 'Somebody dropped something off'),
  'staff-brought-back': (t) => toStaff(t, 'A recalled item is back'),
  'staff-unexpected-opening': (t) =>
    toStaff(
      t,
      t.door === null ? 'Somebody forced or tampered with a cabinet' : 'A door was opened or tampered with, and nobody asked for it',
    ),
  'staff-refill': (t) => toStaff(t, 'Please refill a locker'),
  'staff-inspect': (t) => toStaff(t, 'Please look at a return'),
  'staff-report': (t) => toStaff(t, 'Somebody reported a problem at a locker'),
  'staff-order-cancelled': (t) => toStaff(t, 'The shop cancelled an order, and its parcel lies in a locker'),
  'staff-tool-refused': (t) => toStaff(t, 'The asset tool refused to check something out or in'),
  'staff-cabinet-offline': (t) => toStaff(t, 'Out of reach'),
  'staff-cabinet-back': (t) => toStaff(t, 'In reach again'),
  'staff-two-controllers': (t) => toStaff(t, 'Two controllers sign in as one cabinet, so none of its doors opens'),
  'staff-door-left-open': (t) => toStaff(t, 'A door is left open'),
} satisfies Record<string, (told: Told) => Said>;
const NB = {
  ready: (t) => ({
    subject:
      t.type === 'storage'
        ? `Luken din: ${t.site ?? t.company}`
        : t.moved === true
          ? `Flyttet til en annen luke: ${t.site ?? t.company}`
          : `Klart til henting: ${t.site ?? t.company}`,
    text:
      t.moved === true
        ? `${t.company} har flyttet ${t.type === 'storage' ? 'det du oppbevarer' : 'det som venter på deg'}, til en annen luke. Her ligger det nå.`
        : t.type === 'storage'
          ? `Du har en luke hos ${t.company} til det du oppbevarer.`
          : `${t.company} har lagt noe i en luke til deg.`,
    short:
      t.moved === true
        ? `${t.company}: ${t.type === 'storage' ? 'det du oppbevarer' : 'det som venter på deg'}, er flyttet${t.door ? ` til luke ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
        : t.type === 'storage'
          ? `${t.company}: dette er luken din${t.door ? `: ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
          : `${t.company}: noe venter på deg${t.door ? ` i luke ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Åpne luken',
    after: 'Lenken og koden åpner luken din. Hold dem for deg selv.',
  }),
  request: (t) => ({
    subject: t.type === 'recall' ? `Lever tilbake til ${t.company}` : `En luke er klar for det du skal levere til ${t.company}`,
    text:
      t.type === 'recall'
        ? `${t.company} ber deg levere tilbake ${t.thing ?? UNNAMED.nb}. Vi har satt av en luke til det.`
        : `${t.company} har satt av en luke til det du skal levere.`,
    short:
      t.type === 'recall'
        ? `${t.company} ber deg levere tilbake ${t.thing ?? UNNAMED.nb}${t.door ? `: luke ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
        : `${t.company}: vi har en luke til deg${t.door ? `: ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Åpne luken',
    after: 'Lenken og koden åpner denne luken. Hold dem for deg selv.',
  }),
  reminder: (t) => ({
    subject: `Påminnelse fra ${t.company}`,
    text:
      t.type === 'lending'
        ? `Husk å levere tilbake det du har lånt av ${t.company}.`
        : t.type === 'storage'
          ? `Husk å hente det du oppbevarer hos ${t.company}.`
          : `Noe fra ${t.company} venter fortsatt på deg.`,
    short:
      t.type === 'lending'
        ? `${t.company}: husk å levere tilbake det du har lånt.`
        : t.type === 'storage'
          ? `${t.company}: husk å hente det du oppbevarer${t.door ? ` i luke ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`
          : `${t.company}: noe venter fortsatt på deg${t.door ? ` i luke ${t.door}` : ''}${t.site ? `, ${t.site}` : ''}.`,
    button: 'Åpne luken',
  }),
  'taken-out': (t) => ({
    subject: `Ikke lenger i luken: ${t.site ?? t.company}`,
    text: `${t.company} har tatt ut det som lå i luken. Lenken og koden åpner den ikke lenger.`,
    short: `${t.company} har tatt ut det som lå i ${t.door ? `luke ${t.door}` : 'luken'}. Koden virker ikke lenger.`,
    after: `Spør ${t.company} hva som skjer videre.`,
  }),
  invitation: (t) => ({
    subject: `Du er invitert til ${t.company}`,
    text: `Du er invitert til ${t.company} i Hatchway. Godta innen 14 dager.`,
    short: `Du er invitert til ${t.company} i Hatchway.`,
    button: 'Godta invitasjonen',
    after: 'Ventet du ikke denne? Da trenger du ikke gjøre noe.',
  }),
  'webhook-off': (t) => ({
    subject: `En webhook for ${t.company} er slått av`,
    text: `${t.makerGone ? `Administratoren eller API-nøkkelen som sto bak webhooken til ${t.host ?? ''}, har ikke lenger rett til det.` : `${t.host ?? ''} har feilet i flere dager, eller sagt fra at den ikke vil ha mer.`} Vi sender den ingenting før noen slår den på igjen. Imens tar vi vare på det som skjer, i ${WEBHOOK_KEPT_DAYS} dager (høyst ${MISSED_MOST} hendelser), og sender det i rekkefølge da.`,
    short: `${t.company}: webhooken til ${t.host ?? ''} er slått av.`,
    button: t.makerGone ? 'Se webhooken' : 'Se hva som gikk galt',
  }),
  purchase: (t) => ({
    subject: `Kjøpet ditt hos ${t.company}`,
    text: `Du har kjøpt ${t.thing ?? 'noe'} for ${t.sum ?? ''}. Åpne luken når du står ved den. Finn kjøpet igjen i butikken med koden og nummeret ditt.`,
    short: `${t.company}: du har kjøpt ${t.thing ?? 'noe'} for ${t.sum ?? ''}. Åpne luken når du står ved den:`,
    button: 'Åpne luken',
  }),
  receipt: (t) => ({
    subject: `Kvittering fra ${t.company}: ${t.sum ?? ''}`,
    text: `${t.thing ?? 'Kjøpet ditt'}: ${t.sum ?? ''}, betalt med Vipps ${t.at ?? ''}. Takk.`,
    short: `${t.company}: ${t.thing ?? 'kjøpet ditt'}, ${t.sum ?? ''}, betalt med Vipps.`,
  }),
  'payment-not-taken': (t) => ({
    subject: `Betalingen din til ${t.company} er kansellert`,
    text: `Ingen penger trekkes av de ${t.sum ?? ''} du godkjente: vi leverte ikke ut det du betalte for.`,
    short: `${t.company}: betalingen på ${t.sum ?? ''} er kansellert, ingen penger trekkes. Vi leverte ikke ut det du betalte for.`,
  }),
  'capture-ends': (t) => ({
    subject: `${t.sum ?? ''} reservert for ${t.company} blir snart frigitt`,
    text: `En betaling på ${t.sum ?? ''} er reservert. Du kan fakturere den til ${t.until ?? ''}; så gir leverandøren pengene tilbake. Har dere levert ut varene, fakturer; hvis ikke, kanseller.`,
    short: `${t.company}: fakturer eller kanseller betalingen på ${t.sum ?? ''} før ${t.until ?? ''}.`,
    button: 'Se betalingen',
  }),
  'alerts-off': (t) => ({
    subject: `Noen får ikke lenger varsler fra ${t.company}`,
    text: `API-nøkkelen som sørget for varsler til ${t.host ?? ''}, er trukket tilbake eller utløpt. Ingen flere varsler går dit før noen legger det til igjen.`,
    short: `${t.company}: ${t.host ?? ''} får ikke lenger varsler.`,
    button: 'Se varslene',
  }),
  'staff-dropped-off': (t) => toStaff(t, 'Noen har levert inn noe'),
  'staff-brought-back': (t) => toStaff(t, 'En tilbakekalt ting er tilbake'),
  'staff-unexpected-opening': (t) =>
    toStaff(t, t.door === null ? 'Noen har brutt opp eller klusset med et skap' : 'En luke er åpnet eller klusset med, og ingen ba om det'),
  'staff-refill': (t) => toStaff(t, 'Fyll på en luke'),
  'staff-inspect': (t) => toStaff(t, 'Se på en retur'),
  'staff-report': (t) => toStaff(t, 'Noen har meldt om et problem ved en luke'),
  'staff-order-cancelled': (t) => toStaff(t, 'Butikken kansellerte en ordre, og pakken ligger i en luke'),
  'staff-tool-refused': (t) => toStaff(t, 'Utstyrsverktøyet avviste å sjekke noe ut eller inn'),
  'staff-cabinet-offline': (t) => toStaff(t, 'Kan ikke nås'),
  'staff-cabinet-back': (t) => toStaff(t, 'Kan nås igjen'),
  'staff-two-controllers': (t) => toStaff(t, 'To styreenheter logger på som samme skap, så ingen av lukene åpnes'),
  'staff-door-left-open': (t) => toStaff(t, 'En luke står åpen'),
} satisfies Record<string, (told: Told) => Said>;
export type MessageKind = keyof typeof EN;
const WORDS: Record<Locale, Record<MessageKind, (told: Told) => Said>> = { en: EN, nb: NB };
export const isMessageKind = (kind: string): kind is MessageKind => Object.hasOwn(EN, kind);
export const wordsFor = (locale: Locale, kind: MessageKind, told: Told): Said => WORDS[locale][kind](told);

export const LABELS: Record<Locale, Labels> = {
  en: {
    greeting: (name) => `Hello ${name},`,
    site: 'Place',
    cabinet: 'Cabinet',
    door: 'Locker',
    code: 'Code',
    due: 'To pay',
    until: 'Until',
    late: 'Was due',
    since: 'Since',
    hours: 'Open',
    closedThen: 'closed that day',
    by: 'Sent with Hatchway',
    codeShort: 'Code',
    cabinetShort: 'cabinet',
  },
  nb: {
    greeting: (name) => `Hei ${name},`,
    site: 'Sted',
    cabinet: 'Skap',
    door: 'Luke',
    code: 'Kode',
    due: 'Å betale',
    until: 'Innen',
    late: 'Fristen var',
    since: 'Siden',
    hours: 'Åpent',
    closedThen: 'stengt den dagen',
    by: 'Sendt med Hatchway',
    codeShort: 'Kode',
    cabinetShort: 'skap',
  },
};
