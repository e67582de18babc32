import { Fault } from '../../faults/fault.ts';
import { DAY_FORM, type DayRange, dayRange, usageDay } from '../usage-days.ts';
import type { UsageDimension } from '../usage-row.ts';

/** The dimensions available to a stack's keys. */
export const STACK_DIMENSIONS = ['day', 'key', 'endpoint', 'model'] as const satisfies UsageDimension[];

/** A parsed usage query. */
export interface AskedUsage extends DayRange {
  readonly by: readonly UsageDimension[];
}

/** The dimensions that may be asked for, and the parameter that names them. */
export interface UsageDimensions {
  readonly dimensions: readonly UsageDimension[];
  readonly parameter: string;
}

const ofStack: UsageDimensions = { dimensions: STACK_DIMENSIONS, parameter: 'by' };

/** Parses `since`, `until` and `by`; repeated names count once. */
export function readUsageQuery(query: URLSearchParams, nowMs: number, known = ofStack): AskedUsage {
  const since = dayOf(query, 'since');
  const until = dayOf(query, 'until');
  const range = dayRange(
    { ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
    nowMs,
  );
  if (range.since > range.until) {
    const message = `\`since\` (${range.since}) must not be after \`until\` (${range.until}).`;
    throw new Fault('invalid-request', message, { param: 'since' });
  }
  const names = query.getAll(known.parameter).flatMap((text) => text.split(','));
  return {
    ...range,
    by: Array.from(new Set(names.filter((name) => name !== '').map((name) => dimensionOf(name, known)))),
  };
}

function dayOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return usageDay(text) ?? refuse(name, DAY_FORM, text);
}

function dimensionOf(text: string, { dimensions, parameter }: UsageDimensions): UsageDimension {
  return (
    dimensions.find((dimension) => dimension === text.trim()) ??
    refuse(parameter, `one or more of ${dimensions.join(', ')}`, text)
  );
}

function refuse(param: string, expected: string, got: string): never {
  throw new Fault('invalid-request', `\`${param}\` must be ${expected}, got "${got.slice(0, 50)}".`, {
    param,
  });
}
