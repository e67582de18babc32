// From a schema to a grammar, to the problems of an answer, to a schema that a model is better held to.
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

const { grammar, leftToValidation } = compileSchema(invoice);
console.log(
  `a grammar of ${grammar.trimEnd().split('\n').length} rules, ${leftToValidation.length} keywords left to validation`,
);

const checker = createValueChecker(invoice);
for (const { path, message } of checker.problems({ number: 'INV-12', total: -1 }))
  console.log(`${path} ${message}`);

const report = examineSchema(invoice);
console.log('may be invented:', report.mayBeInvented.join(', '));
console.log('may vanish:', report.mayVanish.join(', '));

try {
  compileSchema({ type: 'object', required: ['a'], properties: { a: false } });
} catch (error) {
  if (!(error instanceof SchemaRefused)) throw error;
  console.log(`${error.reason} at ${error.path}`);
}
