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
  for (let step = 0; step < steps; step += 1) {
    const { index, value } = likeliest(output, step * classes, classes);
    if (index !== 0 && index !== before) {
      spotted.push({ text: alphabet[index] ?? '', at: (step + 0.5) / steps, confidence: value, spaceBefore });
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
