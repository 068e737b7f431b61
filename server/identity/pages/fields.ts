import { html, type Html } from '../html.ts';
import type { Say, Word } from '../words.ts';

type Field = {
  name: string;
  label: Word;
  type?: 'text' | 'password';
  autocomplete: string;
  value?: string;
  hint?: Word;
  invalid?: boolean;
  /** What is wrong with this one field, said beside it. */
  wrong?: string | undefined;
  focus?: boolean;
  code?: boolean;
};

/**
 * A labelled field. When it is at fault it points at the sentence that says so, beside it or above the form, so that a screen reader
 * says both. Its form is `novalidate`: the browser's own bubble speaks the browser's language and is gone in a moment.
 */
export function field(say: Say, { name, label, type = 'text', autocomplete, value = '', hint, invalid, wrong, focus, code }: Field): Html {
  const described = [wrong && `${name}-fault`, invalid && 'fault', hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<label
    >${say(label)}
    <input
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required
      maxlength="320"
      autocapitalize="${name === 'name' ? 'words' : 'none'}"
      spellcheck="false"
      aria-invalid="${invalid || wrong ? 'true' : 'false'}"
      ${described && html`aria-describedby="${described}"`}
      ${code && html`class="code"`}
      ${focus && html`autofocus`}
    />
    ${wrong && html`<small class="wrong" id="${name}-fault" role="alert">${wrong}</small>`}
    ${hint && html`<small id="${name}-hint">${say(hint)}</small>`}</label
  >`;
}

export const fault = (message: string | undefined): Html =>
  html`${message && html`<p class="fault" id="fault" role="alert">${message}</p>`}`;

export const note = (message: string): Html => html`<p class="note" role="status">${message}</p>`;
