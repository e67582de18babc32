import { currencyIn } from './currency-codes.ts';
import { type DateOrder, dateOrderOf } from './date-order.ts';
import { type DecimalSign, decimalSignOf } from './decimal-sign.ts';

/** The conventions of a document, which decide what its values mean. */
export interface DocumentContext {
  readonly text: string;
  readonly dateOrder: DateOrder;
  /** Undefined if its amounts do not tell. */
  readonly decimalSign: DecimalSign | undefined;
  /** ISO code of the currency it names first; undefined if none. */
  readonly currency: string | undefined;
}

/** Finds out the conventions of a document from its whole text. */
export function readContext(text: string): DocumentContext {
  const [line] = text.split('\n').filter((one) => currencyIn(one, text) !== undefined);
  return {
    text,
    dateOrder: dateOrderOf(text),
    decimalSign: decimalSignOf(text),
    currency: line === undefined ? undefined : currencyIn(line, text),
  };
}
