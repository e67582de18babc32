import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** Rules that many places need, how they would be written again, and the one place that states them. */
const HOMES: readonly (readonly [string, RegExp, readonly string[]])[] = [
  [
    'whether a value is a JSON object',
    /=== 'object' && \w+ !== null && !Array\.isArray|!== 'object' \|\| \w+ === null \|\| Array\.isArray/,
    ['src/lib/json-record.ts'],
  ],
  // A line of the log shows whatever code an error has.
  ['the code of an error', /'code' in \w+/, ['src/lib/error-code.ts', 'src/telemetry/log.ts']],
  [
    'the wording of a prompt that is too long',
    /prompt is too long: \$\{tokens\} tokens/,
    ['src/text/prompt-fit.ts'],
  ],
  ['the most pixels of a picture', /\b40 megapixels\.`|\b40_000_000\b/, []],
  ['the most tokens of an answer', /\b16_000\b/, ['src/text/text-limits.ts']],
];

const files = sourceFiles();

it.each(HOMES)('states %s in one place', (_rule, written, homes) => {
  const found = files.filter(({ text }) => written.test(text)).map(({ path }) => path);
  expect(found.sort()).toEqual(homes);
});
