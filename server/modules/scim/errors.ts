/** RFC 7644, section 3.12. */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers';

/** What is refused, in SCIM’s own form. */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalid = (scimType: ScimType, detail: string): ScimError => new ScimError(400, detail, scimType);
/** Another company's id answers as one that nobody has. */
export const noResource = (id: string): ScimError => new ScimError(404, `There is no resource ${id.slice(0, 100)}`);

export const documentOf = ({ status, scimType, message }: ScimError) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail: message,
});
