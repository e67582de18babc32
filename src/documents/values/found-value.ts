/** A value and its offsets in the text. */
export interface FoundValue<Value> {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

export function overlaps(
  one: Pick<FoundValue<unknown>, 'start' | 'end'>,
  other: Pick<FoundValue<unknown>, 'start' | 'end'>,
): boolean {
  return one.start < other.end && other.start < one.end;
}
