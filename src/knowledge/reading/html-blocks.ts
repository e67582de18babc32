import { Parser } from 'htmlparser2';
import type { DocumentBlock } from '../document-block.ts';
import { HtmlReader } from './html-reader.ts';

/** Fed in pieces: the parser buffers each until its end. */
const PIECE_CHARACTERS = 65_536;

/** The blocks of an HTML document; `refuse` makes the fault for one that is too deep. */
export function htmlBlocks(text: string, refuse: (reason: string) => Error): readonly DocumentBlock[] {
  const reader = new HtmlReader(refuse);
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name) => reader.close(name),
    ontext: (part) => reader.text(part),
  });
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS)
    parser.write(text.slice(at, at + PIECE_CHARACTERS));
  parser.end();
  return reader.blocks();
}
