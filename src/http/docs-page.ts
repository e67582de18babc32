import { faultRow } from '../faults/fault-table.ts';
import { foreseenFaults } from './open-api.ts';
import type { Route } from './route.ts';

/** The API description as one HTML page, without scripts or external resources. */
export function docsPage(routes: readonly Route[], version: string): string {
  const groups = [...new Set(routes.map((route) => route.group))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stackgate API</title><style>${STYLE}</style></head><body>
<nav><h1>Stackgate</h1><p class="dim">API, version ${escapeHtml(version)} · <a href="/openapi.json">openapi.json</a></p>
${groups.map((group) => navigation(group, routes)).join('')}</nav>
<main><section><h2>Calling</h2><p>Every endpoint under <code>/v1</code> takes an API key as
<code>Authorization: Bearer &lt;key&gt;</code>. The messages endpoints and <code>/v1/models</code> also take it as
<code>x-api-key</code>. Those under <code>/admin/v1</code> take an operator token, which
<code>stackgate operators create</code> makes, and no API key. Every answer carries its id as <code>x-request-id</code> and <code>request-id</code>;
a 429, 503 or 504 says in <code>Retry-After</code> how many seconds to wait.</p></section>
${groups.map((group) => section(group, routes)).join('')}</main></body></html>
`;
}

function navigation(group: string, routes: readonly Route[]): string {
  const links = ofGroup(group, routes).map(
    (route) => `<li><a href="#${anchor(route)}">${title(route)}</a></li>`,
  );
  return `<h2>${group}</h2><ul>${links.join('')}</ul>`;
}

function section(group: string, routes: readonly Route[]): string {
  return `<section><h2>${group}</h2>${ofGroup(group, routes).map(article).join('')}</section>`;
}

function article(route: Route): string {
  const { summary, detail, answer } = route;
  return `<article id="${anchor(route)}"><h3>${title(route)}</h3>
<p><b>${escapeHtml(summary)}.</b> ${code(detail)}</p>
<pre>${escapeHtml(curlLine(route))}</pre>
<p class="dim">${answer.status ?? 200} · ${escapeHtml(answer.contentType)}</p>
<details><summary>Errors</summary><table>${foreseenFaults(route).map(faultLine).join('')}</table></details></article>
`;
}

function faultLine(fault: Parameters<typeof faultRow>[0]): string {
  const { status, wireCode, meaning, remedy } = faultRow(fault);
  return `<tr><td>${status}</td><td>${wireCode === undefined ? '' : `<code>${wireCode}</code>`}</td><td>${code(meaning)} ${code(remedy)}</td></tr>`;
}

function curlLine(route: Route): string {
  const key = credentialOf(route);
  const example = route.request?.example ?? '{ … }';
  const body = {
    none: '',
    json: ` \\\n  -H 'Content-Type: application/json' -d '${example}'`,
    form: ` \\\n  ${route.request?.example ?? '-F file=@…'}`,
    bytes: ' -T …',
  }[route.body.kind];
  const method = ['DELETE', 'PATCH'].includes(route.method) ? ` -X ${route.method}` : '';
  if (route.access === 'link') return `curl${body} "$URL"`;
  return `curl${method} $STACKGATE_URL${route.path.replace(/:(\w+)/g, '{$1}')}${key}${body}`;
}

function credentialOf({ access }: Route): string {
  if (access !== 'key' && access !== 'operator') return '';
  const variable = access === 'key' ? 'STACKGATE_KEY' : 'STACKGATE_TOKEN';
  return ` -H "Authorization: Bearer $${variable}"`;
}

function ofGroup(group: string, routes: readonly Route[]): readonly Route[] {
  return routes.filter((route) => route.group === group);
}

function anchor(route: Route): string {
  return `${route.method}${route.path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function title(route: Route): string {
  return `<span class="method">${route.method}</span> ${escapeHtml(route.path.replace(/:(\w+)/g, '{$1}'))}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Escapes text for HTML; `…` marks code. */
function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#dde1e6,#31363d);--dim:light-dark(#66707a,#98a2ad);--panel:light-dark(#f6f8fa,#1b1f24);--accent:light-dark(#0b6bcb,#6cb6ff)}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:20rem 1fr;background:light-dark(#fff,#14171a)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);background:var(--panel);font-size:.85rem}
nav h1{font-size:1.3rem;margin:0}nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;color:var(--dim);margin:1.5rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav li{padding:.15rem 0;overflow-wrap:anywhere}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
main{padding:1.5rem 3rem 6rem;max-width:60rem;min-width:0}main h2{border-bottom:1px solid var(--line);padding-bottom:.3rem;margin-top:2.5rem}article{margin:2rem 0}h3{font-size:1rem;font-family:ui-monospace,monospace}
.method{font:600 .75em ui-monospace,monospace;color:var(--accent)}.dim{color:var(--dim)}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;overflow:auto;font-size:.85rem}code{font-size:.9em;background:var(--panel);padding:.1em .3em;border-radius:4px}
table{border-collapse:collapse;font-size:.85rem;margin-top:.5rem}td{border-top:1px solid var(--line);padding:.3rem .8rem .3rem 0;vertical-align:top}summary{cursor:pointer;color:var(--dim)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1.5rem}}`;
