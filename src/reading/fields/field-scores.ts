/** The network's scores of a field for each piece of a stretch; piece 0 is "nothing". */
export interface FieldScores {
  readonly start: Float32Array;
  readonly end: Float32Array;
  /** The probability that a value begins at the piece. */
  readonly begins: Float32Array;
  /** The probability that the piece is part of a value. */
  readonly inside: Float32Array;
}

const SCORES = 4;

/** Splits scores of shape [fields, pieces, 4]. */
export function fieldScores(
  scores: Float32Array,
  { fields, pieces }: { readonly fields: number; readonly pieces: number },
): readonly FieldScores[] {
  const column = (field: number, kind: number) =>
    Float32Array.from(
      { length: pieces },
      (_, piece) => scores[(field * pieces + piece) * SCORES + kind] ?? 0,
    );
  return Array.from({ length: fields }, (_, field) => ({
    start: column(field, 0),
    end: column(field, 1),
    begins: column(field, 2).map(sigmoid),
    inside: column(field, 3).map(sigmoid),
  }));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Probabilities of scores; a higher temperature makes them less extreme. */
export function softmax(scores: Float32Array, temperature = 1): Float64Array {
  const most = scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const powers = Float64Array.from(scores, (score) => Math.exp((score - most) / temperature));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map((power) => power / sum);
}
