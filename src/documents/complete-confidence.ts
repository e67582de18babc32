import { isRecord } from '../lib/json-record.ts';
import type { ConfidenceTree } from './confidence.ts';

/** The known probabilities in the shape of the data, null for every leaf of which none is known. */
export function completeConfidence(data: unknown, known: ConfidenceTree | undefined): ConfidenceTree {
  if (Array.isArray(data)) {
    // Items that were dropped since would shift the others.
    const items = Array.isArray(known) && known.length === data.length ? known : [];
    return data.map((item, index) => completeConfidence(item, items[index]));
  }
  if (isRecord(data)) {
    const members = isRecord(known) ? known : {};
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, completeConfidence(value, memberOf(members, name))]),
    );
  }
  return typeof known === 'number' ? known : null;
}

function memberOf(
  members: { readonly [name: string]: ConfidenceTree },
  name: string,
): ConfidenceTree | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
