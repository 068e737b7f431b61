import { readdirSync } from 'node:fs';
import path from 'node:path';

/** One page of all pictures below a folder: a screen at a time, in each way that it was taken; arrow keys leaf. */
export function galleryPage(folder: string): string {
  const ways = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const screens = [...new Set(ways.flatMap((way) => readdirSync(path.join(folder, way)).filter((name) => name.endsWith('.png'))))];
  const sections = screens.map((file) => {
    const name = file.replace(/\.png$/, '');
    const figures = ways
      .filter((way) => readdirSync(path.join(folder, way)).includes(file))
      .map((way) => `<figure class="${way.startsWith('phone') ? 'phone' : 'desktop'}"><a href="${way}/${file}"><img loading="lazy" src="${way}/${file}" alt="${name}, ${way}"></a><figcaption>${way}</figcaption></figure>`); // prettier-ignore
    return `<section id="${name}"><h2>${name}</h2><div>${figures.join('')}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hatchway: every screen</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 0; }
nav { position: sticky; top: 0; padding: 8px 16px; background: Canvas; border-bottom: 1px solid GrayText; display: flex; flex-wrap: wrap; gap: 4px 12px; }
section { display: none; padding: 16px; }
section.now, body:not(.one) section { display: block; }
section > div { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
figure { margin: 0; }
figure.desktop img { width: min(46vw, 900px); }
figure.phone img { width: 240px; }
img { display: block; border: 1px solid GrayText; }
nav a.now { font-weight: 700; }
</style>
<nav>${screens
    .map((file) => file.replace(/\.png$/, ''))
    .map((name) => `<a href="#${name}">${name}</a>`)
    .join('')}</nav>
<main>${sections.join('\n')}</main>
<script>
const all = [...document.querySelectorAll('section')];
const show = () => {
  const at = Math.max(0, all.findIndex((one) => '#' + one.id === location.hash));
  for (const [i, one] of all.entries()) one.classList.toggle('now', i === at);
  for (const link of document.querySelectorAll('nav a')) link.classList.toggle('now', link.hash === '#' + all[at].id);
  scrollTo(0, 0);
};
document.body.classList.add('one');
addEventListener('hashchange', show);
addEventListener('keydown', ({ key }) => {
  const at = all.findIndex((one) => one.classList.contains('now'));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[key];
  if (to !== undefined) location.hash = all[(to + all.length) % all.length].id;
});
show();
</script></html>
`;
}
