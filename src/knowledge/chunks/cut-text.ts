import { type ChunkLimits, isWide, weightAt, weightOf } from './chunk-limits.ts';
import { sentences } from './sentences.ts';

/**
 * Cuts a long text between sentences, without repetition. Only a sentence that is itself too long is cut inside; each part then
 * starts with the last words of the previous one.
 */
export function* cutText(text: string, limits: ChunkLimits): Generator<string> {
  let open = '';
  let weight = 0;
  for (const sentence of sentences(text)) {
    const added = weightOf(sentence);
    if (weight > 0 && weight + added > limits.target) {
      yield* trimmed(open);
      open = '';
      weight = 0;
    }
    if (added > limits.most) {
      yield* cutSentence(sentence, limits);
      continue;
    }
    open += sentence;
    weight += added;
  }
  yield* trimmed(open);
}

function* cutSentence(sentence: string, { target, overlap: wanted }: ChunkLimits): Generator<string> {
  const overlap = Math.min(wanted, target / 4);
  let start = 0;
  while (start < sentence.length) {
    const end = cutBefore(sentence, start, reach(sentence, start, target));
    yield* trimmed(sentence.slice(start, end));
    if (end >= sentence.length) return;
    start = Math.max(start + 1, beginBefore(sentence, end, { least: start, overlap }));
  }
}

/** The furthest end of a part that starts here. */
function reach(text: string, start: number, target: number): number {
  let weight = 0;
  let end = start;
  while (end < text.length) {
    weight += weightAt(text, end);
    if (weight > target) break;
    end += 1;
  }
  return end;
}

/** The last end of a word or clause before `end`; `end` if there is none nearby. */
function cutBefore(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length;
  const least = start + Math.ceil((end - start) / 2);
  for (let at = end; at > least; at -= 1) {
    if (/\s/.test(text.charAt(at)) || /[，、；：,;]/u.test(text.charAt(at - 1))) return at;
  }
  return isLowSurrogate(text, end) ? end - 1 : end;
}

/** Where the next part starts so that it repeats the last words before `end`. */
function beginBefore(
  text: string,
  end: number,
  { least, overlap }: { least: number; overlap: number },
): number {
  let at = end;
  let weight = 0;
  let begin = end;
  while (at > least + 1 && weight < overlap) {
    at -= 1;
    weight += weightAt(text, at);
    const isWordStart = /\s/.test(text.charAt(at - 1)) || isWide(text.charCodeAt(at));
    if (isWordStart && !isLowSurrogate(text, at)) begin = at;
  }
  if (begin < end) return begin;
  // A single word longer than the overlap is cut anyway.
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function* trimmed(text: string): Generator<string> {
  const inside = text.trim();
  if (inside !== '') yield inside;
}
