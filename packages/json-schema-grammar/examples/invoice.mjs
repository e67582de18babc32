import {
  compileSchema,
  createValueChecker,
  examineSchema,
  SchemaRefused,
} from '@stackgate/json-schema-grammar';

const invoice = {
  type: 'object',
  properties: {
    number: { type: 'string', pattern: '^INV-\\d{4}$' },
    total: { type: 'number', minimum: 0 },
    due: { type: 'string', format: 'date' },
  },
  required: ['number', 'total'],
  additionalProperties: false,
};

// Pass `grammar` to llama.cpp. Validate answers if `leftToValidation` is not empty.
const { grammar, leftToValidation } = compileSchema(invoice);
console.log(
  `${grammar.trimEnd().split('\n').length} rules, ${leftToValidation.length} keywords left to validation`,
);

// Prints "/number must match pattern …" and "/total must be >= 0".
const checker = createValueChecker(invoice);
const problems = checker.problems({ number: 'INV-12', total: -1 });
for (const { path, message } of problems) console.log(`${path} ${message}`);

// Required fields that cannot be null may be invented, optional ones left out; `repairedSchema` prevents both.
const { mayBeInvented, mayVanish, repairedSchema } = examineSchema(invoice);
console.log('may be invented:', mayBeInvented.join(', '));
console.log('may vanish:', mayVanish.join(', '));
console.log('required in the repaired schema:', repairedSchema.required.join(', '));

// Prints "unsatisfiable at /properties/a".
try {
  compileSchema({ type: 'object', required: ['a'], properties: { a: false } });
} catch (error) {
  if (!(error instanceof SchemaRefused)) throw error;
  console.log(`${error.reason} at ${error.path}`);
}
