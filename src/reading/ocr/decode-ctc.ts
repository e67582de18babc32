/** A character and its position along the line, from 0 to 1. */
export interface SpottedCharacter {
  readonly text: string;
  readonly at: number;
  readonly confidence: number;
  /** The highest likelihood of a space since the previous character. */
  readonly spaceBefore: number;
}

/** Greedy CTC decoding of a recogniser's output (steps × alphabet): drops repeats and blanks. */
export function decodeCtc(
  output: Float32Array,
  alphabet: readonly string[],
  { steps, classes }: { steps: number; classes: number },
): readonly SpottedCharacter[] {
  const spotted: SpottedCharacter[] = [];
  // The alphabet ends with the space; it may contain other white space before.
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
      // Seen at several steps, it is placed in their middle.
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
  // Most steps are blank; above one half nothing else can win.
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
