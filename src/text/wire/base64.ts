const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether a text is base64, as clients send bytes inline. */
export function isBase64(text: string): boolean {
  return BASE64.test(text);
}
