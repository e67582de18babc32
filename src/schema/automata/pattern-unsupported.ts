/** A pattern, or a combination of patterns, that is not turned into an automaton; the message says why. */
export class PatternUnsupported extends Error {
  override readonly name = 'PatternUnsupported';
}
