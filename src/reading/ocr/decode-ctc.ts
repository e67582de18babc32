/** A character, and where its line showed it, from 0 to 1 along the line. */
export interface SpottedCharacter {
  readonly text: string;
  readonly at: number;
  readonly confidence: number;
  /** How likely, at most, a space stood between this character and the one before. */
  readonly spaceBefore: number;
}

/** Reads a recogniser's output, steps × alphabet: the likeliest character of each step, repeats and blanks dropped. */
export function decodeCtc(
  output: Float32Array,
  alphabet: readonly string[],
  { steps, classes }: { steps: number; classes: number },
): readonly SpottedCharacter[] {
  const spotted: SpottedCharacter[] = [];
  // The alphabet ends with the space; elsewhere it may have other white ones.
  const space = alphabet.lastIndexOf(' ');
  let before = 0;
  let spaceBefore = 0;
  let began = 0;
  for (let step = 0; step < steps; step += 1) {
    const { index, value } = likeliest(output, step * classes, classes);
    const last = spotted.at(-1);
    if (index !== 0 && index !== before) {
      began = step;
      spotted.push({ text: alphabet[index] ?? '', at: (step + 0.5) / steps, confidence: value, spaceBefore });
    } else if (index !== 0 && last) {
      // Seen at several steps, it stands in their middle.
      spotted[spotted.length - 1] = { ...last, at: (began + step + 1) / 2 / steps };
    }
    if (index !== 0) spaceBefore = 0;
    else if (space > 0) spaceBefore = Math.max(spaceBefore, output[step * classes + space] ?? 0);
    before = index;
  }
  return spotted;
}

function likeliest(output: Float32Array, from: number, count: number): { index: number; value: number } {
  let best = from;
  let value = output[from] ?? 0;
  // Blank is likely at most steps, and then nothing else can be.
  if (value > 0.5) return { index: 0, value };
  for (let position = from + 1; position < from + count; position += 1) {
    const candidate = output[position] ?? 0;
    if (candidate > value) {
      value = candidate;
      best = position;
      if (value > 0.5) break;
    }
  }
  return { index: best - from, value };
}
