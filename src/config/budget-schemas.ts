import * as z from 'zod';
import { httpUrl, mapping, section, text } from './value-schemas.ts';

const MAX_AMOUNT = 1_000_000_000;

function amount(description: string) {
  const expected = `a number from 0 to ${MAX_AMOUNT}`;
  return z.number(expected).min(0, expected).max(MAX_AMOUNT, expected).describe(description);
}

const currencyExpected = 'a currency by its three letters, such as EUR';
const secretExpected = '16 to 200 printable characters without spaces';

const price = mapping({
  input: amount('Price of a million tokens of prompts, or of texts for embeddings.').default(0),
  cached_input: amount(
    'Price of a million tokens of prompts that the model server had in its cache; absent: as `input`.',
  ).optional(),
  output: amount('Price of a million tokens of answers.').default(0),
  image: amount('Price of an image.').default(0),
});

/** The value of `prices`. */
export const pricesSchema = section({
  currency: z
    .string(currencyExpected)
    .regex(/^[A-Z]{3}$/, currencyExpected)
    .default('EUR')
    .describe('Currency of all prices and budgets.'),
  models: z
    .preprocess((value) => value ?? {}, z.record(text(), price, 'a mapping of models to prices'))
    .prefault({})
    .describe(
      'Prices by the names that usage has of models. Example: `{ qwen3-32b: { input: 0.5, output: 1.5 } }`.',
    ),
});

/** The value of `budget`, on a stack, a key or an account. */
export const budgetSchema = mapping({
  hard: amount(
    'Money per calendar month (UTC), in `prices.currency`; when it is spent, requests that cost something are 429.',
  ).optional(),
  soft: amount('Money per calendar month after which the webhook is called.').optional(),
});

/** The value of `budgets`. */
export const budgetsSchema = section({
  webhook: mapping({
    url: httpUrl().describe(
      'Address that is called when a limit is reached. Example: `https://ops.example.com/hook`.',
    ),
    secret: z
      .string(secretExpected)
      .regex(/^[\x21-\x7e]{16,200}$/, secretExpected)
      .describe('Signs what is sent, by HMAC-SHA-256.'),
  })
    .optional()
    .describe('Called when a limit is reached; absent: none.'),
  accounts: z
    .preprocess((value) => value ?? {}, z.record(text(), budgetSchema, 'a mapping of accounts to budgets'))
    .prefault({})
    .describe('Budgets of accounts, for all of their stacks together. Example: `{ acme: { hard: 500 } }`.'),
});
