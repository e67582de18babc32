import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';
import { pictureFormat } from '../pictures/picture-format.ts';
import { type ClientOptions, clientTarget } from './client-target.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';
import { extractedFields } from './extract/extracted-fields.ts';
import { callExtraction, type SentFile } from './extract/extraction-call.ts';
import { extractionPage } from './extract/extraction-page.ts';
import { pagePictures } from './extract/page-pictures.ts';

interface ExtractOptions extends ClientOptions, GlobalOptions {
  readonly schema: string;
  readonly html?: string;
  readonly user?: string;
  readonly system?: string;
  readonly maxTokens?: string;
}

const EXAMPLES = `
Examples:
  stackgate extract invoice.pdf --schema invoice.schema.json
  stackgate extract receipt.jpg --schema receipt.schema.json --html receipt.html
  stackgate extract offer.pdf order.pdf --schema deal.schema.json --user "The total is in order.pdf"`;

/** `stackgate extract`: has a running gateway extract data, and shows where each value stands. */
export function addExtractCommand(program: Command, context: CommandContext): void {
  program
    .command('extract')
    .description('Extract data from PDFs or pictures with a running gateway')
    .argument('<file...>', 'PDFs, or JPEG, PNG and WEBP pictures')
    .requiredOption('--schema <file>', 'the JSON Schema of the data')
    .option('--html <file>', 'write a page that shows the documents with the box and value of every field')
    .option('--user <text>', 'instructions in addition, such as which file has which field')
    .option('--system <text>', "replaces the stack's system prompt")
    .option('--max-tokens <number>', 'the most tokens of the data (default: 4000)')
    .option('--url <address>', 'the address to call (default: the configured one)')
    .option('--key <key>', 'the API key (default: the first in the configuration)')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ExtractOptions>();
      const [schema, files] = [(await readGiven(options.schema)).toString('utf8'), await readFiles(paths)];
      const route = routeOf(files);
      const target = await clientTarget(await context.loadConfig(options.config), options);
      // Only these two forms of output show them.
      const isDetailed = options.html !== undefined || options.json === true ? 'true' : undefined;
      const { user, system, maxTokens: max_tokens, html } = options;
      const fields = { schema, user, system, max_tokens, citations: isDetailed, confidence: isDetailed };
      const answer = await callExtraction({ ...target, route, files, fields });
      if (html !== undefined) {
        const page = { fields: extractedFields(answer), pages: await pagePictures(files, route) };
        await writeFile(html, extractionPage(page));
      }
      report(context, command, { data: answer, text: `${JSON.stringify(answer.data, null, 2)}\n` });
    });
}

async function readFiles(paths: readonly string[]): Promise<readonly SentFile[]> {
  return await Promise.all(
    paths.map(async (path) => ({ name: basename(path), bytes: await readGiven(path) })),
  );
}

async function readGiven(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new OperatorError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** PDFs and pictures have routes of their own. */
function routeOf(files: readonly SentFile[]): 'documents' | 'images' {
  const pictures = files.filter(({ bytes }) => pictureFormat(bytes) !== undefined).length;
  if (pictures === 0) return 'documents';
  if (pictures === files.length) return 'images';
  throw new OperatorError('PDFs and pictures cannot be extracted together; run the command once for each');
}
