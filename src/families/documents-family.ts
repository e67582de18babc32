import { bearerCredential } from './credential.ts';
import type { Family } from './family.ts';

/** Extraction and PDF generation: `{"detail": "…"}`, plus members a fault adds, such as `raw_output`. */
export const documentsFamily: Family = {
  name: 'documents',
  credential: bearerCredential,
  rateStyle: 'countdown',
  faultBody: (fault) => ({ detail: fault.message, ...fault.bodyMembers }),
};
