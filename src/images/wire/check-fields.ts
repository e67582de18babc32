import { Fault } from '../../faults/fault.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { MAX_SEED } from '../image-request.ts';
import { IMAGE_SIZES } from '../image-sizes.ts';
import type { FieldValues } from './field-values.ts';

const [DEFAULT_SIZE] = IMAGE_SIZES;
const DEFAULT_STEPS = 4;
export const MAX_STEPS = 8;
const DEFAULT_GUIDANCE = 1;
export const MAX_GUIDANCE = 20;
const MAX_SHOWN_CHARACTERS = 40;

/** The fields both routes have, in the order in which they are checked. */
export function checkFields(values: FieldValues): CheckedFields {
  const size = sizeOf(values.size);
  const steps = stepsOf(values.steps);
  const guidanceScale = guidanceOf(values.guidance_scale);
  const seed = seedOf(values.seed);
  checkCount(values.n);
  checkFormat(values.response_format);
  return { ...size, steps, guidanceScale, seed };
}

interface CheckedFields {
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidanceScale: number;
  readonly seed: bigint | undefined;
}

function sizeOf(value: unknown): { readonly width: number; readonly height: number } {
  const name = isAbsent(value) ? DEFAULT_SIZE : IMAGE_SIZES.find((size) => size === value);
  if (name !== undefined) {
    const [width = 0, height = 0] = name.split('x').map(Number);
    return { width, height };
  }
  throw refusal('invalid-size', 'size', { wanted: 'one of 1024x1024, 1536x1024 and 1024x1536', value });
}

function stepsOf(value: unknown): number {
  if (isAbsent(value)) return DEFAULT_STEPS;
  const steps = numberOf(value);
  if (Number.isInteger(steps) && steps >= 1 && steps <= MAX_STEPS) return steps;
  throw refusal('invalid-steps', 'steps', { wanted: `an integer from 1 to ${MAX_STEPS}`, value });
}

function guidanceOf(value: unknown): number {
  if (isAbsent(value)) return DEFAULT_GUIDANCE;
  const guidance = numberOf(value);
  if (guidance >= 0 && guidance <= MAX_GUIDANCE) return guidance;
  throw refusal('invalid-guidance-scale', 'guidance_scale', {
    wanted: `a number from 0 to ${MAX_GUIDANCE}`,
    value,
  });
}

/** A number that is not a bigint was written with a point or exponent. */
function seedOf(value: unknown): bigint | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'bigint' && value >= 0n && value <= MAX_SEED) return value;
  const wanted = `an integer from 0 to ${MAX_SEED}, written without point and exponent`;
  throw refusal('invalid-seed', 'seed', { wanted, value });
}

function checkCount(value: unknown): void {
  if (isAbsent(value) || numberOf(value) === 1) return;
  throw refusal('invalid-n', 'n', { wanted: '1', value });
}

function checkFormat(value: unknown): void {
  if (isAbsent(value) || value === 'b64_json') return;
  throw refusal('invalid-response-format', 'response_format', { wanted: '"b64_json"', value });
}

/** `null` counts as absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** A fault that says what a field must be and what it was. */
export function refusal(
  code: FaultCode,
  param: string,
  { wanted, value }: { readonly wanted: string; readonly value: unknown },
): Fault {
  return new Fault(code, `\`${param}\` must be ${wanted}, got ${shown(value)}.`, { param });
}

function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value));
    case 'bigint':
    case 'number':
    case 'boolean':
      return cut(String(value));
    default:
      return Array.isArray(value) ? 'a list' : 'an object';
  }
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}
