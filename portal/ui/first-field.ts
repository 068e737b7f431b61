const FIELDS = 'input, select, textarea, [contenteditable=true]';
const PRESSED = 'button, a[href], [tabindex="0"]';

const isChosen = (one: HTMLElement): boolean => !(one instanceof HTMLInputElement) || one.type !== 'radio' || one.checked;

const mayFocus = (one: HTMLElement): boolean =>
  !one.matches(':disabled, [tabindex="-1"], [type=hidden]') && one.closest('header, [data-head]') === null && one.checkVisibility();

/**
 * Where a dialog that opens has the focus: where it says so itself, else at its first field, else at the first thing to press below its
 * head. Never at its X: an Enter there throws away what one came for. A dialog that asks says itself that it begins at its answer: what
 * may be left empty opens no keyboard on a phone there. One in which nothing can be pressed yet has the focus as a whole.
 */
export const markFirstField = (dialog: HTMLElement | null): void => {
  if (dialog === null || dialog.querySelector('[data-autofocus]') !== null) return;
  const found = (selector: string) => [...dialog.querySelectorAll<HTMLElement>(selector)].filter(mayFocus);
  const first = found(FIELDS).find(isChosen) ?? found(FIELDS)[0] ?? found(PRESSED)[0] ?? dialog.querySelector<HTMLElement>('h2');
  if (first === null) return;
  // A title is no place for Tab to stop at.
  if (first.tagName === 'H2') first.tabIndex = -1;
  first.dataset['autofocus'] = '';
};
