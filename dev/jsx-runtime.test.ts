import { Fragment, type ReactElement, isValidElement } from 'react';
import { expect, test } from 'vitest';
import { jsx } from './jsx-runtime.ts';

const icon = jsx('svg', {});
/** An element as one would write it. */
const written = (one: unknown): unknown => {
  if (Array.isArray(one)) return one.map(written);
  if (!isValidElement(one)) return one;
  const { type, props } = one as ReactElement<{ children?: unknown }>;
  return props.children === undefined ? `<${String(type)}>` : { [String(type)]: written(props.children) };
};
const Badge = () => null;

test.each<[string, unknown, unknown, unknown]>([
  ['one text', 'p', 'Open', 'Open'],
  ['texts side by side', 'p', ['Open ', 'A-04', ' ', 7], 'Open A-04 7'],
  ['texts, and one that is not there now', 'p', ['Open', false], 'Open'],
  ['none of them is there now', 'p', [null, false], ''],
  ['a text behind an element', 'button', [icon, 'Open'], ['<svg>', { 'hw-text': 'Open' }]],
  ['a text before one', 'p', ['Open ', 'A-04', icon], [{ 'hw-text': 'Open A-04' }, null, '<svg>']],
  ['a text that is not there now leaves the element in its place', 'p', [false, 'A-04', icon], [{ 'hw-text': 'A-04' }, null, '<svg>']],
  ['texts around one', 'p', ['a', icon, 'b', null, 'c'], [{ 'hw-text': 'a' }, '<svg>', { 'hw-text': 'bc' }, null, null]],
  ['texts in a list of a list', 'p', [['a', icon], 'b'], [[{ 'hw-text': 'a' }, '<svg>'], { 'hw-text': 'b' }]],
  ['a text in a fragment, which others may stand beside', Fragment, 'a', { 'hw-text': 'a' }],
  ['an empty one', Fragment, '', ''],
  ['what a component is given, it may hand on', Badge, ['a', icon], [{ 'hw-text': 'a' }, '<svg>']],
  ['a text that a component is given is its own', Badge, 'a', 'a'],
  ['a choice in a list holds one text', 'option', ['A-04', ' (', 'M', ')'], 'A-04 (M)'],
  ['elements alone', 'p', [icon, icon], ['<svg>', '<svg>']],
])('%s', (_, type, children, stands) => {
  const made = jsx(type as 'p', { children }) as ReactElement<{ children: unknown }>;
  expect(written(made.props.children)).toEqual(stands);
});
