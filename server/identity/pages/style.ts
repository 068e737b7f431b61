import { BASE } from '../options.ts';
import { portalFont } from './ahead.ts';

/** Where the portal is not built, the pages bring the typeface themselves. */
export const OWN_FONT = `${BASE}/pages/inter.woff2`;

/** The family's look for the provider's pages: one card, big targets, both themes by the system's wish. */
export const style = (): string => `
@font-face{font-family:'Inter Variable';font-weight:100 900;font-display:swap;src:url('${portalFont() ?? OWN_FONT}') format('woff2')}
:root{color-scheme:light dark;--bg:#f6f7f7;--surface:#fff;--ink:#14201f;--dim:#4b5a58;--line:#dbe1e0;--field:#7d8b89;--steel:#c3cbca;--accent:#0b6b64;--accent-hover:#09564f;--on-accent:#fff;--accent-soft:#e2f1ef;--ok:#1c6b3a;--bad:#a51d1d;--bad-soft:#fbeaea}
@media (prefers-color-scheme:dark){:root{--bg:#0f1514;--surface:#171f1e;--ink:#e7eeed;--dim:#a3b3b0;--line:#2b3736;--field:#6d7d7a;--steel:#3b4947;--accent:#4fc4b8;--accent-hover:#7ad6cc;--on-accent:#06201d;--accent-soft:#12312e;--ok:#6fcf97;--bad:#ff8a80;--bad-soft:#33191a}}
*{box-sizing:border-box}
html{font:16px/1.5 'Inter Variable',Inter,system-ui,sans-serif;font-feature-settings:'cv05';background:var(--bg);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100dvh;display:grid;grid-template-rows:auto 1fr auto;justify-items:center}
header,footer{width:100%;max-width:28rem;padding:24px 16px 0;display:flex;align-items:center;justify-content:space-between}
footer{padding:0 16px 24px;justify-content:flex-end}
.mark{display:flex;align-items:center;gap:10px;font-weight:650;letter-spacing:-.01em}
.mark svg{width:28px;height:28px;color:var(--accent)}
main{width:calc(100% - 32px);max-width:26rem;align-self:center;margin:24px 0;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
main.wide{max-width:34rem}
h1{margin:0 0 8px;font-size:1.375rem;line-height:1.25;font-weight:650;letter-spacing:-.015em;text-wrap:balance}
h2{margin:32px 0 8px;font-size:1.0625rem;line-height:1.3;font-weight:600}
p{margin:0 0 16px;color:var(--dim);text-wrap:pretty}
h1+form,h1+.note,h1+.fault{margin-top:24px}
form{margin:0;display:grid;gap:16px}
form+form,form+p,p+form{margin-top:16px}
form:has(.choice)+form:has(.choice){margin-top:8px}
button.choice span{flex:none}
label{display:grid;gap:6px;font-weight:550;font-size:.9375rem}
label small{font-weight:400;color:var(--dim);font-size:.875rem}
input{width:100%;min-height:48px;padding:10px 12px;font:inherit;font-size:1rem;color:var(--ink);background:var(--surface);border:1px solid var(--field);border-radius:8px}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
input.code{letter-spacing:.12em;font-size:1.25rem;font-variant-numeric:tabular-nums}
button,.button{display:flex;align-items:center;justify-content:center;gap:8px;width:100%;min-height:48px;padding:10px 16px;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:8px;cursor:pointer;text-decoration:none}
button:hover,.button:hover{background:var(--accent-hover)}
button.quiet,.button.quiet{color:var(--ink);background:transparent;border-color:var(--steel);font-weight:550}
button.quiet:hover,.button.quiet:hover{background:var(--accent-soft)}
button.choice{justify-content:space-between;text-align:left;min-height:56px}
button.choice small{font-weight:400;color:var(--dim)}
button.link{width:auto;min-height:24px;padding:0;color:var(--accent);background:none;font-weight:500;text-decoration:underline;text-underline-offset:3px}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.fault,.note{margin:0 0 16px;padding:12px 14px;border-radius:8px;border-left:4px solid var(--bad);background:var(--bad-soft);color:var(--ink)}
small.wrong{color:var(--bad);font-weight:600}
.note{border-left-color:var(--ok);background:var(--accent-soft)}
.row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin-top:16px}
.codes{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:8px;margin:0 0 24px;padding:16px;list-style:none;border:1px solid var(--line);border-radius:8px;font-family:ui-monospace,monospace}
.qr{display:block;width:200px;height:200px;margin:0 auto 16px;padding:12px;background:#fff;border-radius:8px}
.key{overflow-wrap:anywhere;font-family:ui-monospace,monospace}
@media (max-width:30rem){main{padding:24px 20px;align-self:start}}
@media (prefers-reduced-motion:no-preference){button,.button{transition:background-color .12s}}
`;

/** The mark as an icon of its own, where no colour is inherited. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28" stroke="#0b6b64"><rect x="2" y="2" width="24" height="24" rx="3" fill="#fff" stroke-width="2.5"/><path d="M14 3v22M14 12l9-9M14 20l11-11M16 26l9-9" stroke-width="2" fill="none"/><circle cx="9.5" cy="14" r="1.75" fill="#0b6b64" stroke="none"/></svg>`;
