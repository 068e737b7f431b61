import { useEffect, useRef, type ReactNode } from 'react';

/**
 * The page's one headline. When it comes to say something new, focus moves to it: the button that was pressed is gone by then,
 * and whoever listens hears what the page says now. The first headline of a page is left alone.
 */
export function Heading({ says, children }: { says: string; children: ReactNode }) {
  const node = useRef<HTMLHeadingElement>(null);
  const said = useRef(says);
  useEffect(() => {
    if (said.current === says) return;
    said.current = says;
    node.current?.focus();
  }, [says]);
  return (
    <h1 ref={node} tabIndex={-1}>
      {children}
    </h1>
  );
}
