/** Markup that is safe by construction: only the `html` tag makes it, and everything put into a template is escaped unless it is Html itself. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string) => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

function text(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(text).join('');
  return escape(String(value));
}

export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let out = parts[0] ?? '';
  values.forEach((value, i) => {
    out += text(value) + (parts[i + 1] ?? '');
  });
  return new Html(out);
}
