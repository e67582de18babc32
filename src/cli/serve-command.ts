import type { Command } from 'commander';
import type { ConfiguredStacks } from '../admin/configured-stacks.ts';
import type { Config } from '../config/config.ts';
import { type Log, openLog } from '../telemetry/log.ts';
import type { CommandContext, GlobalOptions, ServedGateway } from './command-context.ts';
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
    .action(async (_options: unknown, command: Command) => {
      const { config: configFlag } = command.optsWithGlobals<GlobalOptions>();
      await serve(context, () => context.loadConfig(configFlag));
    });
}

async function serve(context: CommandContext, readConfig: () => Promise<Config>): Promise<void> {
  const config = await readConfig();
  const log = openLog({
    level: config.log.level,
    format: config.log.format ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  });
  using signals = new StopSignals();
  const gateway = await context.openGateway({
    config,
    log,
    announce: (message) => context.terminal.out(`${message}\n`),
    signal: signals.stop,
  });
  const configured = await gateway.configure(config);
  const url = await gateway.listen();
  context.terminal.out(startBanner(url, configured));
  warnOfIdleSettings(config, log);
  const stopReloading = reloadOnHangUp({ gateway, readConfig, log, context, config });
  await signals.stopRequested;
  log.info({}, 'draining');
  await gateway.stop(AbortSignal.any([AbortSignal.timeout(DRAIN_MS), signals.hurry]));
  stopReloading();
  log.info({}, 'stopped');
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
      log.error({ error }, 'the configuration was refused; the old one stays');
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
