import { Fragment, jsx as plain } from 'react/jsx-runtime';

/**
 * What both front ends are built with in place of React's own. A browser that translates a page puts a `<font>` in the place of each text,
 * and React goes on writing into the text that was there: the page says for ever what it said then, or breaks where a text is taken away.
 * Of an element that holds text alone React writes the whole content anew, whatever stands in it. So all texts here are the only child of
 * their element: texts side by side become one, and those beside elements get an element of their own.
 */

/** Their content is text by the language itself, or they belong to a drawing. */
const TEXT_ALONE = new Set<unknown>(['option', 'title', 'textarea', 'style', 'script', 'text', 'tspan', 'desc']);
/** In no style sheet and no look-up of ours: it is drawn as the text itself was. */
const TEXT = 'hw-text' as 'span';
const isText = (one: unknown): one is string | number | bigint =>
  typeof one === 'string' || typeof one === 'number' || typeof one === 'bigint';
const isNothing = (one: unknown): boolean => one === null || one === undefined || typeof one === 'boolean';
const holdsText = (children: readonly unknown[]): boolean => children.some((one) => isText(one) || (Array.isArray(one) && holdsText(one)));
const alone = (children: string | number | bigint) => plain(TEXT, { children });

/** Each element keeps its place, by which React knows it again; a text stands where its run of texts may begin. */
const apart = (children: readonly unknown[]): unknown[] => {
  const placed: unknown[] = children.map((one) => (isText(one) || isNothing(one) ? null : Array.isArray(one) ? apart(one) : one));
  let [begin, text] = [0, ''];
  for (const [at, one] of [...children.entries(), [children.length, {}] as const]) {
    if (isText(one)) text += String(one);
    else if (!isNothing(one)) {
      if (text !== '') placed[begin] = alone(text);
      [begin, text] = [at + 1, ''];
    }
  }
  return placed;
};

const mended = (type: unknown, children: unknown): unknown => {
  // Beside what a fragment's text will stand is its parent's to know.
  if (!Array.isArray(children)) return type === Fragment && isText(children) && children !== '' ? alone(children) : children;
  // What a component is given it may hand to an element that is made elsewhere.
  if (type !== Fragment && children.every((one) => isText(one) || isNothing(one))) return children.filter(isText).join('');
  return TEXT_ALONE.has(type) || !holdsText(children) ? children : apart(children);
};

type Props = { children?: unknown };
export const jsx = (type: Parameters<typeof plain>[0], props: Props, key?: string): ReturnType<typeof plain> => {
  const { children } = props;
  const anew = mended(type, children);
  return plain(type, anew === children ? props : { ...props, children: anew }, key);
};
export const jsxs = jsx;
export { Fragment };
