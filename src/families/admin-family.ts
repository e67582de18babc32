import { bearerCredential } from './credential.ts';
import type { Family } from './family.ts';

/** The admin API: `{"detail": "…"}`. */
export const adminFamily: Family = {
  name: 'admin',
  credential: bearerCredential,
  rateStyle: 'countdown',
  faultBody: (fault) => ({ detail: fault.message, ...fault.bodyMembers }),
};
