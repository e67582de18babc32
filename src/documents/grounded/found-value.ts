/** A value and where it stands in the whole text. */
export interface FoundValue<Value> {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

/** Whether two places share a character. */
export function overlaps(
  one: Pick<FoundValue<unknown>, 'start' | 'end'>,
  other: Pick<FoundValue<unknown>, 'start' | 'end'>,
): boolean {
  return one.start < other.end && other.start < one.end;
}
