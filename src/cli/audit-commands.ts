import { type Command, InvalidArgumentError } from 'commander';
import { auditView, type NotedState, verifyAudit } from '../admin/audit.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { readAudit } from '../store/audit-trail.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';

/** `stackgate audit …` */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program.command('audit').description('Export and check the record of who changed what');
  audit
    .command('export')
    .description('Print every row as a line of JSON, oldest first')
    .addHelpText('after', '\nExample:\n  stackgate audit export > audit.jsonl')
    .action(async (_options: unknown, command: Command) => {
      await onDatabase(context, command, async (pool) => {
        for await (const row of readAudit(pool)) context.terminal.out(`${JSON.stringify(auditView(row))}\n`);
      });
    });
  audit
    .command('verify')
    .description('Check that no row was changed or removed')
    .option('--noted <sequence:hash>', 'a state that was noted down earlier, which must be part of it', noted)
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate audit verify\n  stackgate audit verify --noted 120:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    )
    .action(async (options: { noted?: NotedState }, command: Command) => {
      const { rows, head, problem } = await onDatabase(context, command, (pool) =>
        verifyAudit(pool, options.noted),
      );
      if (problem !== undefined) throw new OperatorError(`the audit is not whole: ${problem}`);
      report(context, command, {
        data: { rows, head },
        text:
          rows === 0
            ? 'The audit is empty.\n'
            : `The audit is whole: ${rows} row(s).\nNote: ${rows}:${head}\n`,
      });
    });
}

function noted(text: string): NotedState {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined)
    throw new InvalidArgumentError('It is what "audit verify" printed after "Note:".');
  return { sequence: Number(sequence), hash };
}
