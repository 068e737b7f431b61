/**
 * Prints one sheet with a square code. It is put together in a frame of its own by the document's own calls, so that no text of a link
 * is ever read as markup, and the frame goes when the printer's dialog has closed.
 */
export const printLink = ({ title, qr, lines }: { title: string; qr: string; lines: readonly string[] }): void => {
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  Object.assign(frame.style, { position: 'fixed', inset: '100% auto auto 100%', width: '0', height: '0', border: '0' });
  document.body.append(frame);
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (page === null || view === null) return frame.remove();
  const heading = page.createElement('h1');
  heading.textContent = title;
  const image = page.createElement('img');
  image.alt = '';
  Object.assign(image.style, { width: '60mm', height: '60mm' });
  const texts = lines.map((line) => {
    const text = page.createElement('p');
    text.textContent = line;
    return text;
  });
  Object.assign(page.body.style, { font: '12pt system-ui, sans-serif', textAlign: 'center' });
  page.title = title;
  page.body.append(heading, image, ...texts);
  view.addEventListener('afterprint', () => frame.remove());
  image.addEventListener('load', () => view.print());
  image.src = qr;
  return undefined;
};
