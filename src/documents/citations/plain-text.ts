import { withoutAccents } from '../grounded/month-names.ts';

/** A text as it is compared: small letters without accents, and no marks around it. */
export function plainText(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}+-]+|[^\p{L}\p{N}%]+$/gu, '');
}
