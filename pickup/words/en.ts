import type { OpenOutcome, PickupHold, ReportKind } from '@hatchway/contract/pickup.ts';
import type { RefusedCode } from '../app/trouble.ts';

const outcomes: Record<Exclude<OpenOutcome, 'opened'>, { title: string; text: string }> = {
  refused: { title: 'The locker refused to open', text: 'The door stayed shut. Try once more; if it refuses again, contact us.' },
  jammed: {
    title: 'The door is jammed',
    text: 'The lock let go, but the door did not move. Press lightly against it and try again. Do not use force.',
  },
  'not-seen': {
    title: 'We did not see the door open',
    text: 'The lock let go, but we cannot tell whether the door moved. Look at it: if it is shut, try again.',
  },
  'no-answer': {
    title: 'The locker did not answer',
    text: 'We do not know whether the door opened. Look at it first: if it is shut, try again.',
  },
  offline: {
    title: 'The cabinet is offline',
    text: 'It has lost its connection and cannot open doors now. Try again in a few minutes, or contact us.',
  },
};

const holds: Record<PickupHold, { title: string; text: string }> = {
  'not-ready': { title: 'Not ready yet', text: 'You get a message when you can come. This page changes by itself.' },
  'in-use': {
    title: 'Somebody is at the locker',
    text: 'The door has been opened for somebody else. This page changes by itself when it is your turn.',
  },
  'out-of-service': { title: 'The locker is out of service', text: 'Staff have closed it for now. Contact us, and we help you.' },
  'cabinet-offline': outcomes.offline,
  'payment-needed': {
    title: 'Not paid yet',
    text: 'It has to be paid before the door opens. Paying here is not possible yet: contact us.',
  },
  'taken-out': { title: 'Staff have taken it out', text: 'It no longer lies in the locker. Contact us to hear where it is.' },
  ended: { title: 'This is over', text: 'The locker is no longer yours.' },
};

const refused: Record<RefusedCode, string> = {
  'in-use': 'Somebody else is being let in right now. Wait a moment and try again.',
  'too-many': 'You have as many at once as one person may have. Finish one of them first.',
  'out-of-service': 'The locker has been taken out of service. Contact us, and we help you.',
  'payment-needed': 'It has to be paid before the door opens.',
  'occupation-transition': 'That is not possible any more. The page now shows how things stand.',
  'door-tag-mismatch': 'Your locker has changed. The page now shows the right one.',
  'door-open': 'Close the door first.',
  'not-yet': 'Open the door first.',
  quantity: 'There are not as many left.',
  'sold-out': 'It is sold out: you came after the time it was set aside for you. Contact us about your money.',
  gone: 'The link does not open anything now.',
  'no-free-locker': 'No locker is free here now. Try again later, or contact us.',
  'locker-taken': 'Somebody was quicker. Choose another locker.',
  'locker-in-doubt': 'That locker has to be checked first. Choose another one.',
  'nothing-waiting': 'Nothing is waiting to be fetched here.',
  'cabinet-offline': 'The cabinet is offline and cannot open doors now. Try again in a few minutes.',
};

const reports: Record<ReportKind, string> = {
  'not-now': 'I cannot take it now',
  'wrong-door': 'Another door opened',
  jammed: 'The door is jammed',
  'not-empty': 'There is something in it already',
  'nothing-inside': 'There is nothing inside',
  'door-stays-open': 'The door will not close',
};

const SIZES: Record<string, string> = { XS: 'Extra small', S: 'Small', M: 'Medium', L: 'Large', XL: 'Extra large' };

/** Every text of the site in English; nb.ts has the same shape, or does not compile. */
export const en = {
  site: 'Lockers',
  language: 'Norsk',
  theme: 'Light or dark',
  skip: 'To the content',
  enter: {
    title: 'Open your locker',
    lead: 'You have a code or a link from us by SMS or e-mail. The number stands on the cabinet.',
    atCabinet: (number: string) => `Cabinet ${number}`,
    cabinet: 'Cabinet number',
    code: 'Code, 6 digits',
    go: 'Go on',
    checking: 'Checking…',
    cabinetMissing: 'Write the number that stands on the cabinet.',
    codeMissing: 'A code has 6 digits.',
    otherCabinet: 'Another cabinet',
    scan: 'Scan the cabinet',
    scanTitle: 'Point the camera at the square code on the cabinet',
    scanStop: 'Stop the camera',
    scanFailed: 'The camera cannot be used. Write the numbers instead.',
    wrongCode: 'The code is wrong.',
    triesLeft: (count: number) => (count === 1 ? 'One try left.' : `${count} tries left.`),
    noTries: 'No tries left here. Use the link in your message instead.',
    unknownCabinet: 'There is no cabinet with that number.',
  },
  trouble: {
    line: 'No connection. Trying again by itself.',
    lineShort: 'No connection. Check your network and try again.',
    later: 'Something on our side is away for a moment. Try again shortly.',
    wait: (span: string | null) => `Too many tries. ${span === null ? 'Wait a little' : `Wait ${span}`} and try again.`,
    waitCodes: (span: string | null) => `Too many wrong codes. Use the link in your message, or wait ${span ?? 'an hour'}.`,
    unsure: 'We did not hear back. Look at the door: if it is shut, press again.',
    refused: 'That was not possible.',
    retry: 'Try again',
    back: 'The connection is back.',
  },
  minutes: (count: number) => (count === 1 ? 'a minute' : `${count} minutes`),
  gone: {
    title: 'This link is not valid',
    text: 'It is over, or the address is not whole. Open the newest message from us and follow its link, or type your code.',
    toCode: 'Type a code',
  },
  link: {
    purpose: {
      open: { title: 'Open a locker', lead: 'You have been given access to a locker. Stand at the cabinet, then open it.' },
      'drop-off': { title: 'Hand something in', lead: 'Stand at the cabinet with what you hand in. A locker opens for you.' },
      'pick-up': { title: 'Fetch what is waiting', lead: 'Stand at the cabinet. What has waited longest is opened first.' },
    },
    over: {
      waiting: { title: 'It is too early', text: 'The link works later.' },
      'used-up': { title: 'The link has been used', text: 'It opens nothing more. Ask whoever sent it to you for a new one.' },
      expired: { title: 'The time of the link is over', text: 'It opens nothing more. Ask whoever sent it to you for a new one.' },
      revoked: { title: 'The link has been withdrawn', text: 'It opens nothing more. Ask whoever sent it to you.' },
    },
    from: (moment: string) => `The link works from ${moment}.`,
    waiting: (count: number) => (count === 1 ? 'One is waiting.' : `${count} are waiting.`),
    wall: 'Which cabinet do you stand at?',
    chooseWall: 'Choose the cabinet.',
    door: 'Which locker?',
    size: 'How large is it?',
    chooseDoor: 'Choose a locker.',
    chooseSize: 'Choose a size.',
    name: 'Your name (not needed)',
    noDoor: 'None of the lockers can be used now.',
    sizes: (size: string) => SIZES[size] ?? size,
    holds: {
      taken: 'taken',
      'in-doubt': 'has to be checked',
      'out-of-service': 'out of service',
      'cabinet-offline': 'no connection',
    },
    opened: (tag: string) => `Locker ${tag} is opened`,
    openNow: 'The door is open. Close it when you have finished.',
    unseen: 'The lock has let go. Pull the door if it has not sprung open, and close it when you have finished.',
    shut: 'The door is closed. Thank you.',
    again: (tag: string) => `Open ${tag} once more`,
  },
  instead: (tag: string) => `Thank you. The staff can see it now. Use locker ${tag} instead.`,
  condition: 'Is anything wrong with it? (not needed)',
  take: 'How many do you take?',
  fewer: 'One fewer',
  more: 'One more',
  notFound: { title: 'There is nothing here', text: 'The address leads nowhere. Type your code, or follow the link of your message.' },
  loading: 'Fetching how things stand…',
  locker: (tag: string) => `Locker ${tag}`,
  purpose: {
    take: {
      ready: 'Ready for you',
      open: 'The locker is open',
      openText: 'Take everything out, then close the door.',
      ask: 'Did you take everything?',
      done: 'Yes, I have everything',
    },
    own: {
      ready: 'Your locker',
      open: 'The locker is open',
      openText: 'Put in or take out, then close the door.',
      ask: 'Have you finished with the locker?',
      done: 'I need it no more',
    },
    'put-in': {
      ready: 'Put it in here',
      open: 'The locker is open',
      openText: 'Put it in, then close the door.',
      ask: 'Is it inside?',
      done: 'Yes, it is inside',
    },
    borrow: {
      ready: 'Ready to borrow',
      open: 'The locker is open',
      openText: 'Take it out, then close the door.',
      ask: 'Did you take it?',
      done: 'Yes, I have it',
    },
    'bring-back': {
      ready: 'Bring it back here',
      open: 'The locker is open',
      openText: 'Put it back in, then close the door.',
      ask: 'Is it inside?',
      done: 'Yes, it is inside',
    },
  },
  pulled: 'The lock has let go. Pull the door if it has not sprung open.',
  unseen: 'We cannot see whether the door is shut. Close it before you answer.',
  openedUnasked: (moment: string) =>
    `The door was opened ${moment} without anybody having asked for it here. Look whether everything is there, and tell us if something is missing.`,
  push: 'The door is closed, but not locked. Push it until it locks.',
  contentFrom: (content: string, company: string) => `${content} from ${company}`,
  nothingNamed: (company: string) => `From ${company}`,
  quantity: (count: number) => `${count} pieces`,
  until: (moment: string) => `Until ${moment}`,
  overdue: (moment: string) => `The time was out ${moment}. It is still there.`,
  open: 'Open locker',
  openAgain: 'Open again',
  opening: 'Waiting for the locker…',
  standing: 'Press only when you stand at the cabinet.',
  putBack: 'I put it back',
  finish: 'I need the locker no more',
  finishSure: { text: 'Then the locker goes to somebody else. Is it empty?', yes: 'Yes, it is empty', no: 'No, keep it' },
  nothingInside: 'I put nothing in',
  endsIn: (span: string) => `If you say nothing, it counts as yes in ${span}.`,
  stillInside: 'The locker still senses something inside.',
  staysIn: (span: string) => `If you say nothing, it stays in the locker for you in ${span}.`,
  ended: {
    taken: { title: 'Done. Thank you', text: 'You have nothing more to do.' },
    'put-in': { title: 'Done. Thank you', text: 'We have been told that it is inside.' },
    'put-back': { title: 'It is back in the locker', text: 'You have nothing more to do.' },
    'taken-out': { title: 'Staff have taken it out', text: 'It no longer lies in the locker. Contact us to hear where it is.' },
    cancelled: { title: 'This was called off', text: 'There is nothing to fetch.' },
  },
  forgotten: (span: string) => `Forgot something? The door opens once more for ${span}.`,
  sure: 'Sending…',
  failed: outcomes,
  hold: holds,
  refused,
  report: {
    title: 'Something is wrong',
    kinds: reports,
    note: 'More about it (not needed)',
    send: 'Tell us',
    sent: 'Thank you. The staff can see it now.',
    notNow: 'All right. It stays where it is.',
    choose: 'Choose what is wrong.',
  },
  where: {
    title: 'Where',
    cabinet: (number: string, name: string) => (name === '' ? `Cabinet ${number}` : `Cabinet ${number}, ${name}`),
    hours: 'Open',
    call: (number: string) => `Call ${number}`,
    offline: 'The cabinet has no connection now',
  },
  place: (column: number, columns: number, row: number) => `Column ${column} of ${columns}, door ${row} from the top`,
};

type Shape<T> = T extends string
  ? string
  : T extends (...input: infer I) => string
    ? (...input: I) => string
    : { [K in keyof T]: Shape<T[K]> };
export type Words = Shape<typeof en>;
