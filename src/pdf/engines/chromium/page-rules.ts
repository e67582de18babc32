/** The document's origin; the name never resolves. */
export const DOCUMENT_URL = 'http://render.invalid/';

/** Allows embedded content only. Interception alone would let prefetches through. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  'font-src data:',
  "style-src 'unsafe-inline' data:",
  'media-src data:',
  'frame-src data:',
  'object-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
].join('; ');

/** Waits until embedded fonts and pictures are decoded, before pages are counted and printed. */
export const AWAIT_RESOURCES = `(async () => {
  for (const image of document.querySelectorAll('img[loading=lazy i]')) image.loading = 'eager';
  const pictures = [...document.images].filter((image) => /^\\s*data:/i.test(image.currentSrc || image.src));
  await Promise.all([
    // Layout does not load fonts that only margin boxes use.
    ...[...document.fonts].map((font) => font.load().catch(() => undefined)),
    ...pictures.map((image) => image.decode().catch(() => undefined)),
  ]);
})()`;

/**
 * Hides missing resources without changing the layout, and removes links that lead nowhere. Runs in an isolated world, which the
 * document can neither see nor block.
 */
export const HIDE_WHAT_IS_MISSING = `(async () => {
  const isOwn = (url) => /^\\s*(data:|about:|#|$)/i.test(url ?? '');
  const hide = (element) => element.style.setProperty('visibility', 'hidden', 'important');
  // A broken picture takes the size of its alternative text; an empty one keeps the size the document gave it.
  const empty = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='0' height='0'/>";
  const missing = [...document.images].filter((image) => !image.complete || !image.naturalWidth);
  for (const image of missing) {
    hide(image);
    for (const source of image.parentElement?.querySelectorAll(':scope > source') ?? []) source.remove();
    image.removeAttribute('srcset');
    image.src = empty;
  }
  await Promise.all(missing.map((image) => image.decode().catch(() => undefined)));
  for (const button of document.querySelectorAll('input[type=image i]'))
    if (!/^\\s*data:/i.test(button.getAttribute('src') ?? '')) hide(button);
  for (const frame of document.querySelectorAll('iframe:not([srcdoc]), frame, embed'))
    if (!isOwn(frame.getAttribute('src'))) hide(frame);
  for (const media of document.querySelectorAll('video, audio'))
    if (![media, ...media.querySelectorAll('source')].some((one) => /^\\s*data:/i.test(one.getAttribute('src') ?? '')))
      hide(media);
  const xlink = 'http://www.w3.org/1999/xlink';
  for (const image of document.querySelectorAll('svg image, svg feImage'))
    if (!isOwn(image.href.baseVal)) {
      image.removeAttribute('href');
      image.removeAttributeNS(xlink, 'href');
    }
  for (const link of document.querySelectorAll('a, area')) {
    const target = link.getAttribute('href') ?? link.getAttributeNS(xlink, 'href');
    if (target === null || /^\\s*(https?:|mailto:|tel:|#)/i.test(target)) continue;
    link.removeAttribute('href');
    link.removeAttributeNS(xlink, 'href');
  }
})()`;
