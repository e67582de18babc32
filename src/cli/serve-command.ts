import type { Command } from 'commander';
import type { ConfiguredStacks } from '../admin/configured-stacks.ts';
import type { Config } from '../config/config.ts';
import { nearestName } from '../config/nearest-name.ts';
import { withoutParameters } from '../store/database-errors.ts';
import { type Log, openLog } from '../telemetry/log.ts';
import type { CommandContext, GlobalOptions, ServedGateway, ServeOptions } from './command-context.ts';
import { changedSections } from './config-changes.ts';
import { startBanner } from './start-banner.ts';
import { StopSignals } from './stop-signals.ts';

const DRAIN_MS = 30_000;

/** `stackgate serve`: runs the gateway until a signal ends it. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve', { isDefault: true })
    .description('Run the gateway (what "stackgate" alone does)')
    .addHelpText('after', '\nExample:\n  stackgate serve --config /etc/stackgate.yaml')
    .allowExcessArguments()
    .action(async (_options: unknown, command: Command) => {
      refuseUnknownCommand(program, command.args);
      const { config: configFlag } = command.optsWithGlobals<GlobalOptions>();
      await serve(context, () => context.loadConfig(configFlag));
    });
}

/** Commander hands every word it does not know to the default command. */
function refuseUnknownCommand(program: Command, [word]: readonly string[]): void {
  if (word === undefined) return;
  const nearest = nearestName(
    word,
    program.commands.map((command) => command.name()),
  );
  program.error(
    `error: unknown command '${word}'${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  );
}

async function serve(context: CommandContext, readConfig: () => Promise<Config>): Promise<void> {
  const config = await readConfig();
  const log = openLog({
    level: config.log.level,
    format: config.log.format ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  });
  using signals = new StopSignals();
  const gateway = await openUnlessStopped(context, { config, log, signal: signals.stop });
  if (gateway === undefined) return;
  let stopReloading = () => {};
  try {
    const configured = await gateway.configure(config);
    const url = await gateway.listen();
    context.terminal.out(startBanner(url, configured));
    warnOfIdleSettings(config, log);
    stopReloading = reloadOnHangUp({ gateway, readConfig, log, context, config });
    await signals.stopRequested;
    log.info({}, 'draining');
  } catch (error) {
    // Nothing is being served yet, but the database is open and would keep the process alive.
    await gateway.stop(AbortSignal.abort());
    throw error;
  }
  await gateway.stop(AbortSignal.any([AbortSignal.timeout(DRAIN_MS), signals.hurry]));
  stopReloading();
  log.info({}, 'stopped');
}

/** A signal may come while a database is waited for; that is an end like any other. */
async function openUnlessStopped(
  context: CommandContext,
  options: Omit<ServeOptions, 'announce'>,
): Promise<ServedGateway | undefined> {
  const announce = (message: string) => context.terminal.out(`${message}\n`);
  try {
    return await context.openGateway({ ...options, announce });
  } catch (error) {
    if (options.signal.aborted) return undefined;
    throw error;
  }
}

interface Reloading {
  readonly gateway: ServedGateway;
  readonly readConfig: () => Promise<Config>;
  readonly log: Log;
  readonly context: CommandContext;
  readonly config: Config;
}

/** Reads the configuration anew at SIGHUP, one at a time; a bad one is refused and the old one stays. */
function reloadOnHangUp({ gateway, readConfig, log, context, config }: Reloading): () => void {
  let current = config;
  let reloading = Promise.resolve();
  const reload = async () => {
    try {
      const next = await readConfig();
      tellGenerated(context, await gateway.configure(next));
      const needRestart = changedSections(current, next);
      current = next;
      log.info({ needRestart }, 'configuration read anew');
    } catch (error) {
      log.error({ error: withoutParameters(error) }, 'the configuration was refused; the old one stays');
    }
  };
  const onHangUp = () => {
    reloading = reloading.then(reload);
  };
  process.on('SIGHUP', onHangUp);
  return () => void process.off('SIGHUP', onHangUp);
}

function tellGenerated(context: CommandContext, { generated }: ConfiguredStacks): void {
  for (const { stackId, id, secret } of generated) {
    context.terminal.out(`Key "${id}" of stack "${stackId}", shown this once: ${secret}\n`);
  }
}

function warnOfIdleSettings(config: Config, log: Log): void {
  if (config.telemetry.otlpEndpoint !== undefined) {
    log.warn(
      { setting: 'telemetry.otlp_endpoint' },
      'traces are not part of this version; the setting has no effect',
    );
  }
}
