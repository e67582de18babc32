/** Elements that are invisible or interactive. */
const UNREAD: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'select',
  'textarea',
  'button',
  'dialog',
]);

/** Elements that start a new line. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form ' +
    'header hr html legend li main ol p pre section summary table tbody td tfoot th thead tr ul caption ' +
    'h1 h2 h3 h4 h5 h6'
  ).split(' '),
);

const HIDDEN_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Longer style attributes are cut. */
const MAX_STYLE_CHARACTERS = 2_000;

export type Attributes = Readonly<Record<string, string>>;

/** Whether an element and its content are skipped. */
export function isUnread(name: string, attributes: Attributes): boolean {
  if (UNREAD.has(name) || Object.hasOwn(attributes, 'hidden')) return true;
  if (attributes['aria-hidden'] === 'true' || attributes.role === 'navigation') return true;
  return HIDDEN_STYLE.test((attributes.style ?? '').slice(0, MAX_STYLE_CHARACTERS));
}

export function isBlockElement(name: string): boolean {
  return BLOCKS.has(name);
}

/** 1 to 6 for a heading. */
export function headingLevel(name: string): number | undefined {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : undefined;
}
