import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';
import { splitLines } from '../lib/split-lines.ts';
import type { CompiledSchema, compileSchema } from '../schema/compile-schema.ts';
import { SchemaRefused } from '../schema/terms/schema-refused.ts';
import { type CommandContext, report } from './command-context.ts';

/** `stackgate schema …` */
export function addSchemaCommands(program: Command, context: CommandContext): void {
  const schema = program.command('schema').description('Look at JSON Schemas');
  schema
    .command('grammar')
    .description('Print the grammar that a model is held to by a JSON Schema')
    .argument('[file]', 'the schema; not with --jsonl')
    .option(
      '--jsonl',
      'read one {"id", "schema"} per line from standard input, write one {"id", "grammar"} or {"id", "error"} per line',
    )
    .addHelpText('after', '\nExample:\n  stackgate schema grammar invoice.schema.json')
    .action(async (file: string | undefined, options: { jsonl?: boolean }, command: Command) => {
      const compile = await loadCompiler();
      if (options.jsonl === true) return compileLines(context, process.stdin, compile);
      if (file === undefined) throw new OperatorError('name a schema file, or use --jsonl');
      const compiled = compiledFrom(await readFile(file, 'utf8'), compile);
      report(context, command, { data: compiled, text: `${compiled.grammar}\n` });
    });
}

type Compile = typeof compileSchema;

/** Loaded when asked for: no other command needs it, and it takes as long as the rest of a start. */
async function loadCompiler(): Promise<Compile> {
  return (await import('../schema/compile-schema.ts')).compileSchema;
}

function compiledFrom(text: string, compile: Compile): CompiledSchema {
  try {
    return compile(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(refusalOf(error));
  }
}

async function compileLines(context: CommandContext, input: Readable, compile: Compile): Promise<void> {
  for await (const line of splitLines(input)) {
    if (line.trim() !== '') context.terminal.out(`${JSON.stringify(compiledLine(line, compile))}\n`);
  }
}

function compiledLine(line: string, compile: Compile): object {
  let id: unknown = null;
  try {
    const asked: unknown = JSON.parse(line);
    if (typeof asked !== 'object' || asked === null || !('schema' in asked))
      return { id, error: 'a line is {"id", "schema"}' };
    if ('id' in asked) id = asked.id;
    return { id, grammar: compile(asked.schema).grammar };
  } catch (error) {
    return { id, error: refusalOf(error) };
  }
}

/** The reason in words; anything but a refusal or broken JSON is a bug and stays one. */
function refusalOf(error: unknown): string {
  if (error instanceof SchemaRefused) return `${error.reason} at "${error.path}": ${error.message}`;
  if (error instanceof SyntaxError) return `not JSON: ${error.message}`;
  throw error;
}
