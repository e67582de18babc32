import type { Caller } from '../access/caller.ts';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { Form } from '../lib/form.ts';
import type { ScanRule } from '../text/wire/formats/scan-prompt.ts';

/** The body that a route takes. */
export type BodyRule =
  | { readonly kind: 'none' }
  | (SizedBody & {
      readonly kind: 'json';
      /** Whether a request may leave the body away, which then reads as an empty object. */
      readonly mayBeAbsent?: boolean;
      /** Whether integers come as bigints, exact to the last digit. */
      readonly exactIntegers?: boolean;
      /** Reads bodies of the usual form without parsing them; returns `undefined` for all others. */
      readonly scan?: (bytes: Buffer) => unknown;
      /** How another thread scans the caller's large bodies; if absent, it parses them. */
      readonly scanApart?: (caller: Caller) => ScanRule | undefined;
      /** A more precise fault for a multipart form than its wrong type. */
      readonly refuseForm?: (form: Form) => Fault | undefined;
    })
  | (SizedBody & { readonly kind: 'form' })
  /** Bytes of any type. */
  | (SizedBody & { readonly kind: 'bytes' });

interface SizedBody {
  readonly cap: (limits: PlanLimits) => number;
  readonly tooLarge: FaultCode;
}

const MIB = 1024 * 1024;

/** The largest JSON body; common agents assume this size. */
export const JSON_CAP_BYTES = 32 * MIB;

/** The largest body of an operator. */
export const OPERATOR_CAP_BYTES = MIB;

// Room for field names, boundaries and text fields beside the files.
const FORM_OVERHEAD_BYTES = MIB;

/** A form whose files have at most this many bytes. */
export function formBody(fileBytes: (limits: PlanLimits) => number) {
  return {
    kind: 'form',
    cap: (limits: PlanLimits) => fileBytes(limits) + FORM_OVERHEAD_BYTES,
    tooLarge: 'body-too-large',
  } as const satisfies BodyRule;
}

/** A JSON body of the usual size. */
export const jsonBody = {
  kind: 'json',
  cap: () => JSON_CAP_BYTES,
  tooLarge: 'body-too-large',
} as const satisfies BodyRule;
