import { type Command, InvalidArgumentError, Option } from 'commander';
import type { KeyChanges } from '../admin/keys.ts';
import type { KeyLimits } from '../config/config.ts';
import { type KeyScope, keyScopes } from '../config/key-scopes.ts';
import { nearestName } from '../config/nearest-name.ts';
import { isAddressOrRange } from '../config/value-schemas.ts';

/** The options of a key as commander gives them; an empty value restores the default. */
export interface KeyOptions {
  readonly prompt?: string;
  readonly retrieval?: boolean;
  readonly knowledge?: 'read' | 'write';
  readonly expiresAt?: Date;
  readonly requestsPerMinute?: number;
  readonly concurrentRequests?: number;
  readonly scopes?: readonly KeyScope[];
  readonly models?: readonly string[];
  readonly allowedIps?: readonly string[];
  readonly readOnly?: boolean;
  readonly ownImagesOnly?: boolean;
}

/** Adds the options that making and changing a key share. */
export function withKeyOptions(command: Command): Command {
  return command
    .option('--prompt <text>', 'the image prompt used when a request has none')
    .option('--retrieval', 'answer chats with excerpts of the knowledge base')
    .addOption(
      new Option('--knowledge <right>', 'what it may do with the knowledge base').choices(['read', 'write']),
    )
    .option('--expires-at <time>', 'ISO 8601, for example 2027-01-01T00:00:00Z', moment)
    .option('--requests-per-minute <number>', 'how many requests it may send in a minute', ceiling)
    .option('--concurrent-requests <number>', 'how many requests it may have in flight', ceiling)
    .option('--scopes <names...>', `only these parts of the API: ${keyScopes.join(', ')}`, scopes)
    .option('--models <names...>', 'only these models', names)
    .option('--allowed-ips <ranges...>', 'only from these addresses or ranges', ranges)
    .option('--read-only', 'nothing that changes or costs something')
    .option('--own-images-only', 'only images that were made with it');
}

/** Adds the options that take something back from a key. */
export function withNegatedKeyOptions(command: Command): Command {
  return command
    .option('--no-retrieval', 'no excerpts of the knowledge base')
    .option('--no-read-only', 'everything that its stack may')
    .option('--no-own-images-only', 'all images of its stack');
}

/** Options as changes; limits that are not named stay as they are. */
export function changesOf(options: KeyOptions, existing: KeyLimits = {}): KeyChanges {
  const { prompt, scopes, models, allowedIps, requestsPerMinute, concurrentRequests, ...same } = options;
  const limits = {
    ...existing,
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(concurrentRequests !== undefined && { concurrentRequests }),
  };
  return {
    ...same,
    limits,
    ...(prompt !== undefined && { prompt: prompt || null }),
    ...(scopes !== undefined && { scopes: orNull(scopes) }),
    ...(models !== undefined && { models: orNull(models) }),
    ...(allowedIps !== undefined && { allowedIps: orNull(allowedIps) }),
  };
}

function orNull<Name>(names: readonly Name[]): readonly Name[] | null {
  return names.length === 0 ? null : names;
}

/** Names may be separated by spaces or commas. */
function names(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((name) => name !== '')];
}

function scopes(text: string, before: readonly KeyScope[] = []): readonly KeyScope[] {
  return [...before, ...names(text).map(knownScope)];
}

function knownScope(name: string): KeyScope {
  const found = keyScopes.find((scope) => scope === name);
  if (found !== undefined) return found;
  const nearest = nearestName(name, keyScopes);
  throw new InvalidArgumentError(
    nearest === undefined ? `They are: ${keyScopes.join(', ')}.` : `Did you mean "${nearest}"?`,
  );
}

function ranges(text: string, before: readonly string[] = []): readonly string[] {
  const all = names(text, before);
  if (all.every(isAddressOrRange)) return all;
  throw new InvalidArgumentError('They are IP addresses or ranges such as 10.0.0.0/8.');
}

function moment(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It is an ISO 8601 time.');
  return date;
}

function ceiling(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('It is a whole number of at least 1.');
  return number;
}
