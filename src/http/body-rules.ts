import type { Caller } from '../access/caller.ts';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { Form } from '../lib/form.ts';
import type { PromptFormat } from '../text/wire/formats/scan-prompt.ts';

/** What a route takes as its body. */
export type BodyRule =
  | { readonly kind: 'none' }
  | (SizedBody & {
      readonly kind: 'json';
      /** Whether integers come as bigints, exact to the last digit. */
      readonly exactIntegers?: boolean;
      /** A cheaper way to read bodies of a usual form, in place of parsing; `undefined` for all others. */
      readonly scan?: (bytes: Buffer) => unknown;
      /** The format in which large bodies of the caller are scanned too, on another thread; absent: they are parsed there. */
      readonly formatApart?: (caller: Caller) => PromptFormat | undefined;
      /** What is wrong with a multipart form that was sent here, beyond its type. */
      readonly refuseForm?: (form: Form) => Fault | undefined;
    })
  | (SizedBody & { readonly kind: 'form' });

interface SizedBody {
  readonly cap: (limits: PlanLimits) => number;
  readonly tooLarge: FaultCode;
}

const MIB = 1024 * 1024;

/** The cap of JSON bodies; common agents assume it. */
export const JSON_CAP_BYTES = 32 * MIB;

// Room for field names, boundaries and text fields beside the files.
const FORM_OVERHEAD_BYTES = MIB;

/** A form with so many bytes of files. */
export function formBody(fileBytes: (limits: PlanLimits) => number) {
  return {
    kind: 'form',
    cap: (limits: PlanLimits) => fileBytes(limits) + FORM_OVERHEAD_BYTES,
    tooLarge: 'body-too-large',
  } as const satisfies BodyRule;
}

/** A JSON body of the usual cap. */
export const jsonBody = {
  kind: 'json',
  cap: () => JSON_CAP_BYTES,
  tooLarge: 'body-too-large',
} as const satisfies BodyRule;
