import type { Field } from '../plan/schema-plan.ts';
import { type Candidate, type FieldCandidates, isAbout } from '../propose/candidate.ts';

/** Candidates of an amount that are tried. */
const MOST_TRIED = 12;
const ADDS_UP_SCORE = 2;
const CENT = 0.011;

type Role = 'net' | 'tax' | 'total';

/** Raises the amounts of each object that add up: net and tax are the total. */
export function withSums(fields: readonly FieldCandidates[]): readonly FieldCandidates[] {
  const raised = new Map<FieldCandidates, FieldCandidates>();
  for (const group of groupsOf(fields)) {
    const sum = bestSum(group);
    if (sum === undefined) continue;
    for (const role of ROLES) raised.set(group[role], withRaised(group[role], sum[role]));
  }
  return fields.map((entry) => raised.get(entry) ?? entry);
}

const ROLES: readonly Role[] = ['net', 'tax', 'total'];

/** Objects with one field for each of the three. */
function groupsOf(fields: readonly FieldCandidates[]): readonly Readonly<Record<Role, FieldCandidates>>[] {
  const groups = new Map<string, Map<Role, FieldCandidates[]>>();
  for (const entry of fields) {
    const role = roleOf(entry.field);
    if (role === undefined) continue;
    const parent = entry.field.path.slice(0, -1).join('.');
    const group = groups.get(parent) ?? new Map<Role, FieldCandidates[]>();
    group.set(role, [...(group.get(role) ?? []), entry]);
    groups.set(parent, group);
  }
  return Array.from(groups.values()).flatMap((group) => {
    const [net, ...nets] = group.get('net') ?? [];
    const [tax, ...taxes] = group.get('tax') ?? [];
    const [total, ...totals] = group.get('total') ?? [];
    const isOneEach = nets.length + taxes.length + totals.length === 0;
    return isOneEach && net !== undefined && tax !== undefined && total !== undefined
      ? [{ net, tax, total }]
      : [];
  });
}

function roleOf(field: Field): Role | undefined {
  if (field.kind !== 'number' || isAbout(field, 'rate')) return undefined;
  if (isAbout(field, 'net')) return 'net';
  if (isAbout(field, 'gross')) return 'total';
  if (isAbout(field, 'vat')) return 'tax';
  return isAbout(field, 'total') ? 'total' : undefined;
}

/** The likeliest candidates that add up. */
function bestSum(
  group: Readonly<Record<Role, FieldCandidates>>,
): Readonly<Record<Role, Candidate>> | undefined {
  let best: { readonly sum: Readonly<Record<Role, Candidate>>; readonly score: number } | undefined;
  for (const total of group.total.candidates.slice(0, MOST_TRIED)) {
    for (const net of group.net.candidates.slice(0, MOST_TRIED)) {
      for (const tax of group.tax.candidates.slice(0, MOST_TRIED)) {
        if (!addsUp(net, tax, total)) continue;
        const score = net.score + tax.score + total.score;
        if (best === undefined || score > best.score) best = { sum: { net, tax, total }, score };
      }
    }
  }
  return best?.sum;
}

function addsUp(net: Candidate, tax: Candidate, total: Candidate): boolean {
  const [n, t, sum] = [net, tax, total].map(({ value }) => (typeof value === 'number' ? value : Number.NaN));
  if (n === undefined || t === undefined || sum === undefined || n === 0 || t === 0) return false;
  return Math.abs(n + t - sum) < CENT;
}

function withRaised(entry: FieldCandidates, raised: Candidate): FieldCandidates {
  const candidates = entry.candidates.map((one) =>
    one.value === raised.value ? { ...one, score: one.score + ADDS_UP_SCORE } : one,
  );
  return { ...entry, candidates: candidates.toSorted((one, other) => other.score - one.score) };
}
