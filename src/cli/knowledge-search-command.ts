import { type Command, InvalidArgumentError } from 'commander';
import { showStack } from '../admin/stacks.ts';
import type { FoundChunk } from '../knowledge/knowledge-search.ts';
import { foundPassage } from '../knowledge/wire/found-passages.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { cell } from './terminal.ts';

const DEFAULT_MOST = 5;
const MAX_MOST = 100;
const SHOWN_CHARACTERS = 300;
const SEARCH_MS = 120_000;
const STOP_MS = 10_000;

/** `stackgate knowledge search` */
export function addKnowledgeSearchCommand(knowledge: Command, context: CommandContext): void {
  knowledge
    .command('search')
    .description('Show which passages of a stack fit a question, and how well')
    .argument('<stack>', 'the stack')
    .argument('<question...>', 'the question')
    .option('--limit <number>', `at most so many, up to ${MAX_MOST}`, passages, DEFAULT_MOST)
    .addHelpText('after', '\nExample:\n  stackgate knowledge search shop "When do you open?"')
    .action(
      async (stackId: string, words: readonly string[], { limit }: { limit: number }, command: Command) => {
        const found = await onDatabase(context, command, async (pool, config) => {
          await showStack(pool, stackId);
          const search = await context.openSearch({
            config,
            pool,
            onEmbeddingsFailure: () =>
              context.terminal.err(
                'stackgate: embeddings failed; the question was searched by its words alone\n',
              ),
          });
          try {
            const ask = { most: limit, signal: AbortSignal.timeout(SEARCH_MS) };
            return await search.search(stackId, words.join(' '), ask);
          } finally {
            await search.stop(AbortSignal.timeout(STOP_MS));
          }
        });
        report(context, command, {
          data: found.map((chunk) => ({ ...foundPassage(chunk), position: chunk.position })),
          text: found.length === 0 ? '(none)\n' : found.map(foundText).join('\n'),
        });
      },
    );
}

function foundText(chunk: FoundChunk, index: number): string {
  const { score: fused, words, meaning, relevance: score, page } = chunk;
  const scores = `score ${shown(score)}  words ${shown(words)}  meaning ${shown(meaning)}  fused ${shown(fused)}`;
  const source = [cell(chunk.documentName), ...(page === undefined ? [] : [`page ${page}`])].join(', ');
  const headings = chunk.headings.length === 0 ? '' : `   ${cell(chunk.headings.join(' > '))}\n`;
  const text = cell(chunk.text);
  const excerpt = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
  return `${index + 1}. ${scores}\n   ${source}\n${headings}   ${excerpt}\n`;
}

function shown(value: number | undefined): string {
  return value === undefined ? '-' : value.toFixed(3);
}

function passages(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > MAX_MOST)
    throw new InvalidArgumentError(`It is a number from 1 to ${MAX_MOST}.`);
  return number;
}
