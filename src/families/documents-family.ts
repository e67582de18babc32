import { bearerCredential } from './credential.ts';
import type { Family } from './family.ts';

/** Extraction and PDF generation: `{"detail": "…"}`. */
export const documentsFamily: Family = {
  name: 'documents',
  credential: bearerCredential,
  faultBody: (fault) => ({ detail: fault.message }),
};
