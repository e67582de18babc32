import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { CompiledSchema, SchemaReport } from '@stackgate/json-schema-grammar';
import type { Command } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';
import { splitLines } from '../lib/split-lines.ts';
import { refusedReport } from '../schema/refused-report.ts';
import { SchemaRefused } from '../schema/schema-refused.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import { wireReport } from '../schema/wire-report.ts';
import { GATEWAY_STACK } from '../supervision/round-robin-queue.ts';
import { type CommandContext, report } from './command-context.ts';
import { schemaReportText } from './schema-report-text.ts';

const work = { stackId: GATEWAY_STACK, signal: new AbortController().signal };

interface GrammarFlags {
  readonly jsonl?: boolean;
  readonly namedKeys?: boolean;
}

type Compile = (schema: unknown) => Promise<CompiledSchema>;

/** `stackgate schema …` */
export function addSchemaCommands(program: Command, context: CommandContext): void {
  const schema = program.command('schema').description('Look at JSON Schemas');
  addCheckCommand(schema, context);
  schema
    .command('grammar')
    .description('Print the grammar that a model is held to by a JSON Schema')
    .argument('[file]', 'the schema; not with --jsonl')
    .option(
      '--jsonl',
      'read one {"id", "schema"} per line from standard input, write one {"id", "grammar"} or {"id", "error"} per line',
    )
    .option('--named-keys', 'only keys that the schema names, as the embedded model is held to')
    .addHelpText('after', '\nExample:\n  stackgate schema grammar invoice.schema.json')
    .action(async (file: string | undefined, options: GrammarFlags, command: Command) => {
      const unnamedKeys = options.namedKeys === true ? 'where-described' : 'where-allowed';
      const compileIn = (schemas: SchemaService) => (schema: unknown) =>
        schemas.compile(schema, { unnamedKeys }, work);
      if (options.jsonl === true) {
        return withSchemas((schemas) => compileLines(context, process.stdin, compileIn(schemas)));
      }
      if (file === undefined) throw new OperatorError('name a schema file, or use --jsonl');
      const text = await readSchemaFile(file);
      const compiled = await withSchemas((schemas) => compiledFrom(text, compileIn(schemas)));
      report(context, command, { data: compiled, text: `${compiled.grammar}\n` });
    });
}

function addCheckCommand(schema: Command, context: CommandContext): void {
  schema
    .command('check')
    .description(
      'Say whether answers can be held to a JSON Schema, and which fields may be invented or left out',
    )
    .argument('<file>', 'the schema')
    .addHelpText(
      'after',
      '\nExample:\n  stackgate schema check invoice.schema.json\n\nExit code: 0 valid, 1 not.',
    )
    .action(async (file: string, _options: object, command: Command) => {
      const text = await readSchemaFile(file);
      const found = await withSchemas((schemas) => examined(text, schemas));
      report(context, command, { data: wireReport(found), text: schemaReportText(file, found) });
      if (!found.valid) throw new Error(`answers cannot be held to ${file}`);
    });
}

/** Imported lazily: no other command needs it. Runs in workers, so that no schema can hang the command. */
async function withSchemas<Result>(work: (schemas: SchemaService) => Promise<Result>): Promise<Result> {
  const { SchemaService } = await import('../schema/service/schema-service.ts');
  const schemas = new SchemaService();
  try {
    return await work(schemas);
  } finally {
    await schemas.stop(AbortSignal.abort());
  }
}

async function readSchemaFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `cannot read the schema: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function examined(text: string, schemas: SchemaService): Promise<SchemaReport> {
  try {
    return await schemas.examine(JSON.parse(text), work);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `The file is not JSON: ${error.message}.`;
    return refusedReport({ reason: 'invalid', path: '', message });
  }
}

async function compiledFrom(text: string, compile: Compile): Promise<CompiledSchema> {
  try {
    return await compile(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(refusalOf(error));
  }
}

async function compileLines(context: CommandContext, input: Readable, compile: Compile): Promise<void> {
  for await (const line of splitLines(input)) {
    if (line.trim() !== '') context.terminal.out(`${JSON.stringify(await compiledLine(line, compile))}\n`);
  }
}

async function compiledLine(line: string, compile: Compile): Promise<object> {
  let id: unknown = null;
  try {
    const asked: unknown = JSON.parse(line);
    if (typeof asked !== 'object' || asked === null || !('schema' in asked))
      return { id, error: 'a line is {"id", "schema"}' };
    if ('id' in asked) id = asked.id;
    return { id, grammar: (await compile(asked.schema)).grammar };
  } catch (error) {
    return { id, error: refusalOf(error) };
  }
}

/** The reason in words; rethrows anything but a refusal or broken JSON. */
function refusalOf(error: unknown): string {
  if (error instanceof SchemaRefused) return `${error.reason} at "${error.path}": ${error.message}`;
  if (error instanceof SyntaxError) return `not JSON: ${error.message}`;
  throw error;
}
