/**
 * Every problem that an answer can name, once: its HTTP status and a plain English title (RFC 9457).
 * The portal and the end-user site translate by `code`; the server can give no code that is missing here.
 */
export const PROBLEMS = {
  malformed: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'A valid token is needed' },
  'payment-needed': { status: 402, title: 'A reserved payment is needed' },
  forbidden: { status: 403, title: 'You may not do this' },
  'company-gone': { status: 403, title: 'The company does not exist any more' },
  suspended: { status: 403, title: 'The company is suspended' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The address does not have this method' },
  'no-document': { status: 404, title: 'no document' },
  'no-answer': { status: 504, title: 'The locker controller did not answer' },
  'occupation-transition': { status: 409, title: 'The occupation does not allow this now' },
  'content-inside': { status: 409, title: 'Something may still lie inside' },
  'locker-taken': { status: 409, title: 'The locker is taken' },
  'locker-in-doubt': { status: 409, title: 'What lies in the locker is not known' },
  'no-free-locker': { status: 409, title: 'No free locker fits' },
  'nothing-waiting': { status: 409, title: 'Nothing waits to be fetched' },
  'out-of-service': { status: 409, title: 'The locker is out of service' },
  'door-refused': { status: 409, title: 'The controller refused the command' },
  'in-use': { status: 409, title: 'Somebody else is being let in' },
  'too-many': { status: 409, title: 'Too many at once for one person' },
  'open-loan': { status: 409, title: 'A loan is open' },
  'sold-out': { status: 409, title: 'Sold out' },
  'paid-already': { status: 409, title: 'Somebody paid for it already' },
  'whose-payment': { status: 422, title: 'Several payments are reserved: name one' },
  stale: { status: 409, title: 'Somebody changed this meanwhile' },
  'done-already': { status: 409, title: 'Done already, and answered to other rights than are held now' },
  'already-created': { status: 409, title: 'Already created; the secret was shown once' },
  'still-running': { status: 409, title: 'The same request is still being worked on' },
  'invited-already': { status: 409, title: 'An invitation to this address or number is open' },
  'invitation-over': { status: 409, title: 'The invitation was accepted or withdrawn' },
  'by-directory': { status: 409, title: 'The directory gives this, and takes it' },
  'last-admin': { status: 409, title: 'The last administrator stays' },
  'payment-transition': { status: 409, title: 'The payment does not allow this now' },
  'changed-there': { status: 409, title: 'The asset is changed in the tool that it belongs to' },
  'identifier-taken': { status: 409, title: 'Another asset carries this identifier' },
  'not-connected': { status: 409, title: 'It is not connected' },
  'keys-not-taken': { status: 409, title: 'The other side did not take the keys; those that were kept stay' },
  'not-available': { status: 409, title: 'It is not part of this version yet' },
  'name-taken': { status: 409, title: 'The name is taken' },
  'not-allowed': { status: 403, title: 'The right that you came in with does not include this' },
  quantity: { status: 422, title: 'There are not as many' },
  'not-in-group': { status: 403, title: 'It is offered to groups that they are not in' },
  'not-lendable': { status: 409, title: 'Its status label does not let it out' },
  'service-not-allowed': { status: 422, title: 'The locker is not for this service' },
  price: { status: 422, title: 'The price is not one' },
  'door-open': { status: 409, title: 'The door must be closed first' },
  'not-yet': { status: 409, title: 'It is too early for this' },
  deadline: { status: 422, title: 'The deadline is not one' },
  'doors-in-use': { status: 409, title: 'Doors in use or in doubt would be lost' },
  'in-use-elsewhere': { status: 409, title: 'It is still in use' },
  'message-not-sendable': { status: 409, title: 'The message cannot be sent again' },
  gone: { status: 410, title: 'No longer valid' },
  'too-large': { status: 413, title: 'The request is too large' },
  'unsupported-media': { status: 415, title: 'The media type is not supported' },
  'image-unreadable': { status: 422, title: 'The image cannot be read' },
  rule: { status: 422, title: 'The request is against a rule' },
  'unknown-reference': { status: 422, title: 'The request names something that does not exist' },
  'import-refused': { status: 422, title: 'Rows of the file are refused; nothing was changed' },
  'receiver-needed': { status: 422, title: 'A receiver is needed' },
  'door-tag-mismatch': { status: 422, title: 'The door tag is another one' },
  'cannot-lock': { status: 422, title: 'This cabinet cannot lock by command' },
  'key-reused': { status: 422, title: 'The Idempotency-Key was used with another request' },
  'unknown-link': { status: 404, title: 'The link or code is not valid' },
  'unknown-cabinet': { status: 404, title: 'No cabinet has this number' },
  'wrong-code': { status: 422, title: 'The code is wrong' },
  'too-many-codes': { status: 429, title: 'Too many wrong codes; use the link' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  defect: { status: 500, title: 'A defect on our side' },
  'cabinet-offline': { status: 503, title: 'The cabinet is offline' },
  unavailable: { status: 503, title: 'A part of the service is away' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One wrong place in a request: a JSON pointer into it (`/receiver/email`, or `/query/limit`) and what is wrong there. */
export type ProblemPointer = { pointer: string; detail: string };

/** The body of every answer that is not 2xx (`application/problem+json`). `type` is `/v1/docs#problem-{code}`. */
export type ProblemDocument = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: ProblemPointer[];
  /** More facts that a screen can use, such as the next best locker or the stage that refused. */
  data?: Record<string, unknown>;
};
