/** The digits of a number without its sign: `-12.50` is `12` and `5`. */
export interface Decimal {
  readonly integer: string;
  readonly fraction: string;
}

/** The digits of a number as JavaScript prints it, without exponent. */
export function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(Math.abs(value)).split('e');
  const [integer = '0', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  const point = integer.length + Number(exponent);
  const padded = point > 0 ? digits.padEnd(point, '0') : digits.padStart(digits.length + 1 - point, '0');
  const split = Math.max(point, 1);
  return {
    integer: padded.slice(0, split).replace(/^0+(?=\d)/, ''),
    fraction: padded.slice(split).replace(/0+$/, ''),
  };
}
