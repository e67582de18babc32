import { type JsonSchema, valueJsonSchema } from '../../src/config/config-json-schema.ts';
import { alignTable, type Row } from './align-table.ts';
import { configurationExample } from './configuration-example.ts';

/** The text of docs/configuration.md, made from the schema that checks the file. */
export function configurationDocs(): string {
  const sections = properties(valueJsonSchema());
  const scalars = sections.filter(([, schema]) => schema.type === 'string');
  const others = sections.filter(([, schema]) => schema.type !== 'string');
  return [
    introduction(),
    '## Example\n\nA complete file; every part of it can be left out.',
    `\`\`\`yaml\n${configurationExample}\`\`\``,
    '## Keys\n\nKeys inside keys are joined by a point: `cors.origins` is `origins` inside `cors`.',
    ...scalars.map(([name, schema]) => `## \`${name}\`\n\n${table([row(name, schema, false)])}`),
    ...others.flatMap(([name, schema]) => renderSection(name, schema)),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = (): string => `# Configuration

<!-- Made from the schema by \`npm run docs\`; change the descriptions there. -->

Stackgate is configured by one YAML file. It is the first of these that is there:

1. the file named by \`--config FILE\` (\`npm start -- --config FILE\`, \`stackgate serve --config FILE\`);
2. the file named by the environment variable \`STACKGATE_CONFIG\`;
3. \`stackgate.yaml\` in the working directory;
4. none: everything is embedded, with one stack \`default\` on the plan Max and one generated key.

A file that is named but cannot be read stops the start. Paths in the file are relative to the file; without a file, to the working directory.

## Environment

These variables win over the file. An empty one counts as not set.

${variables()}

\`\${NAME}\` in any value, quoted or not, alone or inside a longer text, is replaced by that variable. Where a number or true/false is expected, the variable is read as one. A variable that is not set is an error that names it. Write \`$\${NAME}\` for the plain text \`\${NAME}\`.

## Mistakes

An unknown key, a wrong type, a value out of range or a name that leads nowhere stops the start. All problems are reported at once, one line each, and secrets are never shown:

\`\`\`
stackgate.yaml:3: server.prot: unknown key, did you mean "port"?
stackgate.yaml:12: engines.text.gpu.api_key: the environment variable GPU_KEY is not set
stackgate.yaml:31: stacks[0].text: no such engine, expected one of local, gpu, got "gpus"; did you mean "gpu"?
environment: STACKGATE_PORT: expected a whole number from 0 to 65535, got "abc"
\`\`\`

\`stackgate config check\` does only this check. \`stackgate config schema\` prints a JSON Schema for editors.

## What the file owns

Stacks and keys in the file are created or changed at start, in one transaction. A stack or key taken out of the file is disabled at the next start. What was made by the command line is left alone. Two stacks with one id, or one secret twice, stop the start. Secrets are stored as hashes only.

\`SIGHUP\` makes the gateway read the file again: plans, prices, budgets, stacks, keys, certificates and secrets of model servers change at once, every other key at the next start. A file with problems is reported in the log and changes nothing.`;

function variables(): string {
  return alignTable([
    ['Variable', 'Instead of'],
    ['`STACKGATE_HOST`', '`server.host`'],
    ['`STACKGATE_PORT`', '`server.port`'],
    ['`STACKGATE_DATA`', '`data_dir`, relative to the working directory'],
    ['`DATABASE_URL`', '`database.url`'],
    ['`STACKGATE_LOG_LEVEL`', '`log.level`'],
  ]);
}

function renderSection(name: string, schema: JsonSchema): string[] {
  if (name === 'engines') return renderEngines(schema);
  if (name === 'plans') return renderPlans(schema);
  if (name === 'stacks') return renderStacks(schema);
  return [`## \`${name}\``, sentence(schema), table(rows(schema))];
}

function renderEngines(engines: JsonSchema): string[] {
  const parts = properties(engines).flatMap(([name, schema]) => {
    const isNamed = typeof schema.additionalProperties === 'object';
    const union = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : schema;
    const place = isNamed ? `engines.${name}.<name>` : `engines.${name}`;
    const kinds = (union.oneOf ?? []).flatMap((kind) => renderKind(place, kind));
    return [`### \`engines.${name}\``, sentence(schema), ...kinds];
  });
  return ['## `engines`', sentence(engines), ...parts];
}

function renderKind(place: string, schema: JsonSchema): string[] {
  return [`#### \`${place}\` of kind \`${schema.properties?.kind?.const}\``, table(rows(schema))];
}

/** All plans take the same keys, so one table serves them all and the stacks' limits too. */
function renderPlans(plans: JsonSchema): string[] {
  const names = properties(plans).map(([name, schema]) => `- \`${name}\`: ${sentence(schema)}`);
  const [, first] = properties(plans)[0] ?? [];
  return [
    '## `plans`',
    sentence(plans),
    names.join('\n'),
    'Each takes these keys:',
    table(rows(first ?? {})),
  ];
}

function renderStacks(stacks: JsonSchema): string[] {
  const stack = stacks.items ?? {};
  const keys = stack.properties?.keys ?? {};
  return [
    '## `stacks`',
    sentence(stacks),
    table(
      properties(stack).flatMap(([name, schema]) => [
        row(name, schema, isRequired(stack, name)),
        ...(name === 'limits' ? [] : rows(schema, `${name}.`)),
      ]),
    ),
    '### `stacks[].limits`',
    'The keys are those of a [plan](#plans).',
    '### `stacks[].keys[]`',
    sentence(keys),
    table(rows(keys.items ?? {})),
  ];
}

function rows(schema: JsonSchema, prefix = ''): Row[] {
  return properties(schema).flatMap(([name, value]) => [
    row(`${prefix}${name}`, value, isRequired(schema, name)),
    ...rows(value, `${prefix}${name}.`),
    ...(typeof value.additionalProperties === 'object'
      ? rows(value.additionalProperties, `${prefix}${name}.<name>.`)
      : []),
  ]);
}

function row(name: string, schema: JsonSchema, required: boolean): Row {
  const fallback = required ? 'required' : describeDefault(schema);
  return [`\`${name}\``, describeType(schema), fallback, sentence(schema)];
}

function table(lines: readonly Row[]): string {
  return alignTable([['Key', 'Value', 'Default', 'Meaning'], ...lines]);
}

function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(describeType).join(' or ');
  return [schema.type ?? []]
    .flat()
    .map((type) => describePlainType(type, schema))
    .join(' or ');
}

function describePlainType(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'integer':
      return `whole number ${describeRange(schema)}`;
    case 'number':
      return `number ${describeRange(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'array':
      return `list of ${schema.items?.properties ? 'mappings' : describeType(schema.items ?? {})}`;
    case 'object':
      return 'mapping';
    case 'string':
      return schema.format === 'date-time' ? 'timestamp' : 'text';
    default:
      return code(null);
  }
}

function describeRange({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  return maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
}

function describeDefault(schema: JsonSchema): string {
  return schema.default === undefined || schema.type === 'object' ? '' : code(schema.default);
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function sentence(schema: JsonSchema): string {
  return schema.description ?? '';
}

function properties(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {});
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}
