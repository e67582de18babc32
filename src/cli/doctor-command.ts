import type { Command } from 'commander';
import { checkClients } from '../admin/client-checks.ts';
import { examine } from '../admin/doctor.ts';
import type { Finding } from '../admin/finding.ts';
import { OperatorError } from '../admin/operator-error.ts';
import type { Config } from '../config/config.ts';
import { type ClientOptions, clientTarget } from './client-target.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';
import { neverAborted } from './on-storage.ts';
import { table } from './terminal.ts';

const MARKS: Readonly<Record<Finding['result'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failure: 'FAILURE',
};

const EXAMPLES = `
Examples:
  stackgate doctor --config stackgate.yaml
  stackgate doctor --client --url https://ai.example.com --key "$STACKGATE_KEY"`;

interface DoctorOptions extends ClientOptions {
  readonly client?: boolean;
}

/** `stackgate doctor`: checks everything the gateway needs and says how to fix problems. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('Check Node.js, data folder, database, engines and port, and say what to do about each')
    .option(
      '--client',
      'instead call the running gateway as clients do: chat, messages, responses, streams, counting',
    )
    .option('--url <address>', 'with --client: the address to call (default: the configured one)')
    .option('--key <key>', 'with --client: the API key (default: the first in the configuration)')
    .addHelpText('after', EXAMPLES)
    .action(async (options: DoctorOptions, command: Command) => {
      const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
      const findings =
        options.client === true
          ? await checkClients({ ...(await clientTarget(config, options)), signal: neverAborted })
          : await examineAll(config, context);
      const text = options.client === true ? table(findings.map(row)) : findings.map(line).join('');
      report(context, command, { data: findings, text });
      const failures = findings.filter((finding) => finding.result === 'failure');
      if (failures.length > 0)
        throw new OperatorError(`${failures.length} of ${findings.length} checks failed`);
    });
}

function examineAll(config: Config, context: CommandContext): Promise<readonly Finding[]> {
  return examine({
    config,
    nodeVersion: process.version,
    openBlobs: () => context.openBlobs(config),
    withDatabase: (work) => context.withDatabase(config, work),
    models: context.openModels(config),
    openPdfEngine: () => context.openPdfEngine(config),
    signal: neverAborted,
  });
}

function row({ check, result, message }: Finding): Readonly<Record<string, string>> {
  return { call: check, result: MARKS[result].trimEnd(), found: message };
}

function line({ check, result, message, remedy }: Finding): string {
  return `${MARKS[result]}  ${check}: ${message}\n${remedy === undefined ? '' : `         ${remedy}\n`}`;
}
