import { Parser } from 'htmlparser2';

/** Attributes by local name. */
export type XmlAttributes = ReadonlyMap<string, string>;

/** Receives the elements of an XML document; names are local. */
export interface XmlListener {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text?(part: string): void;
}

const PIECE_BYTES = 65_536;
const MAX_OPEN_ELEMENTS = 5_000;

/** Reads an XML document; `refuse` makes the fault for one that is nested too deep. */
export function readXml(bytes: Uint8Array, listener: XmlListener, refuse: (reason: string) => Error): void {
  let openElements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        openElements += 1;
        if (openElements > MAX_OPEN_ELEMENTS)
          throw refuse('nests its elements deeper than any real document');
        const entries = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const);
        listener.open(localName(name), new Map(entries));
      },
      onclosetag(name) {
        openElements -= 1;
        listener.close(localName(name));
      },
      ontext: (part) => listener.text?.(part),
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
  }
  parser.end(decoder.decode());
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
