/** A pattern, or a combination of patterns, that is not turned into an automaton; the message says why. */
export class PatternUnsupported extends Error {
  override readonly name = 'PatternUnsupported';
}

/** What the work gives, or the reason why automata cannot do it. */
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
