import type { BodyRule } from './route.ts';

const MIB = 1024 * 1024;

/** The cap of JSON bodies; common agents assume it. */
export const JSON_CAP_BYTES = 32 * MIB;

/** A JSON body of the usual cap. */
export const jsonBody = {
  kind: 'json',
  cap: () => JSON_CAP_BYTES,
  tooLarge: 'body-too-large',
} as const satisfies BodyRule;
