/** Rows that say the same stay the same nodes, so that what is open, and where the focus is, stay too. */
export function fill(list: HTMLElement, rows: readonly { key: string; make: () => HTMLElement }[]): void {
  const old = new Map([...list.children].map((node) => [(node as HTMLElement).dataset['key'], node as HTMLElement]));
  const nodes = rows.map(({ key, make }) => {
    const node = old.get(key) ?? make();
    node.dataset['key'] = key;
    return node;
  });
  if (nodes.length === list.children.length && nodes.every((node, at) => node === list.children[at])) return;
  list.replaceChildren(...nodes);
}
