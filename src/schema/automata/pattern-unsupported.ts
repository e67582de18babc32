/** A pattern, or a combination of patterns, that is not turned into an automaton; the message says why. */
export class PatternUnsupported extends Error {
  override readonly name = 'PatternUnsupported';
}

/** A pattern that asks for what a group matched before: no automaton does that, and nothing else in bounded time. */
export class BackReference extends PatternUnsupported {
  override readonly message = 'a back-reference cannot be matched in bounded time';
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
