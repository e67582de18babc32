/** A run of characters of one kind. */
export interface JsonPiece {
  readonly kind: 'key' | 'text' | 'number' | 'word' | 'rest';
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Cuts JSON text into coloured runs; text that is no JSON comes back whole. */
export function jsonPieces(json: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let end = 0;
  const add = (kind: JsonPiece['kind'], text: string, at: number) => {
    if (text !== '') pieces.push({ kind, text, at });
  };
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon, number] = match;
    add('rest', json.slice(end, match.index), end);
    end = match.index + whole.length;
    if (quoted !== undefined) {
      add(colon === undefined ? 'text' : 'key', quoted, match.index);
      add('rest', colon ?? '', match.index + quoted.length);
    } else add(number === undefined ? 'word' : 'number', whole, match.index);
  }
  add('rest', json.slice(end), end);
  return pieces;
}
