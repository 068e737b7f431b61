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
  focus?: boolean;
  code?: boolean;
};

/** A labelled field. When it is at fault it points at the message above the form, so that a screen reader says both. */
export function field(say: Say, { name, label, type = 'text', autocomplete, value = '', hint, invalid, focus, code }: Field): Html {
  const described = [invalid && 'fault', hint && `${name}-hint`].filter(Boolean).join(' ');
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
      aria-invalid="${invalid ? 'true' : 'false'}"
      ${described && html`aria-describedby="${described}"`}
      ${code && html`class="code"`}
      ${focus && html`autofocus`}
    />
    ${hint && html`<small id="${name}-hint">${say(hint)}</small>`}</label
  >`;
}

export const fault = (message: string | undefined): Html =>
  html`${message && html`<p class="fault" id="fault" role="alert">${message}</p>`}`;

export const note = (message: string): Html => html`<p class="note" role="status">${message}</p>`;
