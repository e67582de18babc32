import { Fault } from '../../faults/fault.ts';
import type { LinkOrigin } from '../link-origin.ts';
import type { HeaderReader } from './session-cookie.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Throws unless a page of the console itself sent the request, if its method is unsafe. Browsers say so in `Sec-Fetch-Site`;
 * those that do not, send `Origin`.
 */
export function requireSameOrigin(method: string, header: HeaderReader, origin: LinkOrigin): void {
  if (SAFE_METHODS.has(method) || isSameOrigin(header, origin)) return;
  throw new Fault('origin-refused', 'This request did not come from a page of the console.');
}

function isSameOrigin(header: HeaderReader, own: LinkOrigin): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const host = hostOf(header('origin') ?? '');
  return host !== undefined && (host === header('host') || host === hostOf(own.urlOf('', { header })));
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host || undefined : undefined;
}
