/** Shorter sentences are joined with the next: alone they mean little. */
const MIN_CHARACTERS = 60;
/** Longer ones are cut at a space: encoders truncate long texts. */
const MAX_CHARACTERS = 400;
/** Passages per chunk; if there would be more, they are made longer. */
const MAX_PASSAGES = 32;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The pieces of a chunk that get a vector each: its sentences, since sentence encoders blur longer text. */
export function passagesOf(text: string): readonly string[] {
  const least = Math.max(MIN_CHARACTERS, Math.ceil(text.length / MAX_PASSAGES));
  const passages: string[] = [];
  let passage = '';
  const close = () => {
    if (passage !== '') passages.push(passage);
    passage = '';
  };
  for (const piece of piecesOf(text)) {
    if (passage !== '' && passage.length + piece.length > Math.max(MAX_CHARACTERS, least)) close();
    passage = passage === '' ? piece : `${passage} ${piece}`;
    if (passage.length >= least) close();
  }
  close();
  return passages;
}

function piecesOf(text: string): readonly string[] {
  return [...sentences.segment(text)]
    .map(({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
    .flatMap(cut);
}

function cut(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MAX_CHARACTERS);
    const end = space > 0 ? space : MAX_CHARACTERS;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}
