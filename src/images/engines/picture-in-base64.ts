const DATA_URL = /^data:[^,]{0,100},/;

/** Decodes a base64 picture, with or without a data URL prefix. */
export function pictureInBase64(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return Buffer.from(value.replace(DATA_URL, ''), 'base64');
}
