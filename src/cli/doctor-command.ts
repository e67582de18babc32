import type { Command } from 'commander';
import { examine } from '../admin/doctor.ts';
import type { Finding } from '../admin/finding.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';

const MARKS: Readonly<Record<Finding['result'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failure: 'FAILURE',
};

const neverAborted = new AbortController().signal;

/** `stackgate doctor`: looks at everything the gateway needs and says what to do about it. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('Check Node.js, data folder, database, engines and port, and say what to do about each')
    .addHelpText('after', '\nExample:\n  stackgate doctor --config stackgate.yaml')
    .action(async (_options: unknown, command: Command) => {
      const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
      const findings = await examine({
        config,
        nodeVersion: process.version,
        openBlobs: () => context.openBlobs(config),
        withDatabase: (work) => context.withDatabase(config, work),
        signal: neverAborted,
      });
      report(context, command, { data: findings, text: findings.map(line).join('') });
      const failures = findings.filter((finding) => finding.result === 'failure');
      if (failures.length > 0)
        throw new OperatorError(`${failures.length} of ${findings.length} checks failed`);
    });
}

function line({ check, result, message, remedy }: Finding): string {
  return `${MARKS[result]}  ${check}: ${message}\n${remedy === undefined ? '' : `         ${remedy}\n`}`;
}
