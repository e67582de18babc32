/** Thrown for a pattern or combination of patterns that cannot become an automaton; the message says why. */
export class PatternUnsupported extends Error {
  override readonly name = 'PatternUnsupported';
}

/** Returns the result, or the PatternUnsupported that was thrown. */
export function attempt<Result>(work: () => Result): Result | PatternUnsupported {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatternUnsupported) return error;
    if (error instanceof SyntaxError) return new PatternUnsupported('it is not a regular expression');
    if (error instanceof RangeError) return new PatternUnsupported('it is nested too deep');
    throw error;
  }
}
