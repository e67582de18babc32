import { InvalidArgumentError } from 'commander';

/** Parses the argument of an option that is a number of things. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It is a number from 1 up.');
  return number;
}
