import { expect, it } from 'vitest';
import { html } from '../html.ts';
import { filesOf } from './ahead.ts';
import { render } from './layout.ts';

const built = {
  'index.html': { file: 'assets/index-1.js', name: 'index' },
  '_application-1.js': { file: 'assets/application-1.js', name: 'application', imports: ['index.html'], css: ['assets/application-1.css'] },
  '_application-1.css': { file: 'assets/application-1.css' },
  '_dashboard-1.js': { file: 'assets/dashboard-1.js', name: 'dashboard', imports: ['_application-1.js', 'index.html'] },
  'routes/settings.tsx': { file: 'assets/settings-1.js', name: 'settings', imports: ['_application-1.js'] },
};

it('names what the first screen is made of, each file once, and nothing of other screens', () => {
  expect(filesOf(built, ['application', 'dashboard'])).toEqual([
    '/portal/assets/application-1.js',
    '/portal/assets/application-1.css',
    '/portal/assets/index-1.js',
    '/portal/assets/dashboard-1.js',
  ]);
  expect(filesOf({}, ['application'])).toEqual([]);
});

it('has a page fetch ahead by a script that its policy names, and no other page run one', () => {
  const page = (ahead?: string[]) =>
    render({ status: 200, title: () => 'T', body: () => html`here`, ...(ahead ? { ahead } : {}) }, 'en', '/');
  const { body, headers } = page(['/portal/assets/a.js']);
  const nonce = /<script nonce="([^"]+)">/.exec(body)?.[1] ?? 'none';
  expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
  expect(body).toContain('["/portal/assets/a.js"]');
  for (const without of [page(), page([])]) expect(without.body).toMatch(/<\/footer>\s*<\/body>/);
});
