const DATA_URL = /^data:[^,]{0,100},/;

/** The bytes of a picture that a server sent as base64, with or without the head of a data URL. */
export function pictureInBase64(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return Buffer.from(value.replace(DATA_URL, ''), 'base64');
}
