// Uneven steps: most while the picture is mostly noise and its layout is decided.
const SHIFT = 2;
const GUIDANCE_REACH = 0.35;

/** The time steps from 0 (noise) to 1 (finished): one more than `steps`. */
export function momentsOf(steps: number): readonly number[] {
  return Array.from({ length: steps + 1 }, (_, index) => {
    const fraction = index / steps;
    return fraction / (fraction + SHIFT * (1 - fraction));
  });
}

/** One step on the straight line from the noisy picture to the predicted one. */
export function advance(
  noisy: Float32Array,
  clean: Float32Array,
  { now, next }: { readonly now: number; readonly next: number },
): Float32Array {
  if (next === 1) return clean;
  const pace = (next - now) / (1 - now);
  return noisy.map((value, index) => value + pace * ((clean[index] ?? 0) - value));
}

/** Moves away from the unconditional prediction by a bounded mean distance: unbounded guidance oversaturates. */
export function guide(
  asked: Float32Array,
  unasked: Float32Array,
  { guidance, now }: { readonly guidance: number; readonly now: number },
): Float32Array {
  let sum = 0;
  for (let index = 0; index < asked.length; index++) {
    sum += ((asked[index] ?? 0) - (unasked[index] ?? 0)) ** 2;
  }
  const distance = Math.sqrt(sum / asked.length);
  const reach = GUIDANCE_REACH * (1 - now) ** 2;
  const push = Math.min(guidance - 1, reach / Math.max(distance, 1e-6));
  return asked.map((value, index) => clamp(value + push * (value - (unasked[index] ?? 0)), -1, 1));
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
