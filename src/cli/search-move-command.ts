import type { Command } from 'commander';
import { type MoveStep, moveToEmbedded, moveToPostgres, type SearchKind } from '../admin/search-move.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { neverAborted } from './on-storage.ts';
import { ProgressLine } from './progress-line.ts';

const BACK = `The tables of the search are removed. Set engines.search.kind to embedded, or take it out, before the next start.\n`;

/** `stackgate knowledge reindex --to …`: moves the indexes of all stacks while the gateway answers. */
export async function moveSearch(to: SearchKind, context: CommandContext, command: Command): Promise<void> {
  if (to === 'embedded') {
    await onDatabase(context, command, (pool) => moveToEmbedded(pool));
    report(context, command, { data: { kind: to }, text: BACK });
    return;
  }
  using line = new ProgressLine(context.terminal);
  const moved = await onDatabase(context, command, async (pool, config) => {
    const { stop, ...parts } = await context.openSearchMove({ config, pool });
    try {
      return await moveToPostgres(pool, parts, {
        signal: neverAborted,
        report: (step) => line.show(stepText(step)),
      });
    } finally {
      await stop(neverAborted);
    }
  });
  line.clear();
  report(context, command, { data: { kind: to, moved }, text: movedText(moved) });
}

function stepText(step: MoveStep): string {
  if (step === 'indexes') return 'Building the indexes of large stacks';
  const { movedPassages, allPassages } = step;
  const percent = allPassages === 0 ? 100 : Math.floor((100 * movedPassages) / allPassages);
  return `Moving passages: ${movedPassages} of ${allPassages} (${percent} %)`;
}

function movedText(moved: number): string {
  return `${moved} document(s) are moved, and all are in PostgreSQL. Set engines.search.kind to postgres and start the gateway again.\n`;
}
