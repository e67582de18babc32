import { adminFamily } from '../../families/admin-family.ts';
import { Fault } from '../../faults/fault.ts';
import type { Answer } from '../answer.ts';
import type { OpenRequest, OpenRoute } from '../route.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';

/** Nothing from elsewhere, nothing inline, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  'frame-src blob:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const SAFETY = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const INDEX = 'index.html';

/** The pages of the console: its files, and the index for every other path without a dot, which the page itself reads. */
export function consolePages(files: ConsoleFiles): readonly OpenRoute[] {
  const page = (path: string): OpenRoute => ({
    method: 'GET',
    path,
    access: 'open',
    whileDraining: false,
    family: adminFamily,
    body: { kind: 'none' },
    group: 'Admin',
    summary: 'Console',
    detail: 'The console.',
    answer: { contentType: 'text/html' },
    handle: (request) => answer(files, request),
  });
  return [page('/console'), page('/console/:path')];
}

async function answer(files: ConsoleFiles, request: OpenRequest): Promise<Answer> {
  const { path = '' } = request.params;
  if (path === 'api' || path.startsWith('api/')) throw notFound();
  const name = path.includes('.') ? path : INDEX;
  const file = await files.find(name);
  if (file === 'not-built') {
    throw new Fault(
      'console-not-built',
      'The console is not built: run "npm run build" in the folder of the gateway, then reload this page.',
    );
  }
  if (file === undefined) throw notFound();
  const acceptsBrotli = /\bbr\b/.test(request.header('accept-encoding') ?? '');
  return {
    contentType: file.contentType,
    headers: {
      ...SAFETY,
      'cache-control': cacheControl(name),
      vary: 'accept-encoding',
      ...(acceptsBrotli && file.brotli !== undefined && { 'content-encoding': 'br' }),
    },
    body: await bodyOf(file, acceptsBrotli),
  };
}

/** Names in assets/ change with their contents. */
function cacheControl(name: string): string {
  if (name.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return name === INDEX ? 'no-store' : 'no-cache';
}

async function bodyOf({ bytes, brotli }: ConsoleFile, acceptsBrotli: boolean): Promise<Buffer> {
  return acceptsBrotli && brotli !== undefined ? await brotli() : bytes;
}

function notFound(): Fault {
  return new Fault('path-not-found', 'There is no such file or endpoint of the console.');
}
