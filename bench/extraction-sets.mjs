/** The folders of bench/extraction that rules may be made with. */
export const DEVELOPMENT = [
  'dev',
  'lists-dev',
  'languages-dev',
  'tables-dev',
  'invoices-dev',
  'others-dev',
  'varied-dev',
  'wild-dev',
];

/** Those of which figures alone are looked at. */
export const HELD_OUT = [
  'held-out',
  'lists-held-out',
  'others-held-out',
  'varied-held-out',
  'fresh-held-out',
  'blind-held-out',
  'unseen-held-out',
  'late-held-out',
];
