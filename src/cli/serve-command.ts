import type { Command } from 'commander';
import type { ConfiguredStacks } from '../admin/configured-stacks.ts';
import { logWatcher } from '../catalogue/fetch-watcher.ts';
import type { Config } from '../config/config.ts';
import { nearestName } from '../config/nearest-name.ts';
import { setupLinkUrl } from '../people/setup-links.ts';
import { whenReachable } from '../store/when-reachable.ts';
import { type Log, openLog } from '../telemetry/log.ts';
import type { CommandContext, GlobalOptions, ServedGateway, ServeOptions } from './command-context.ts';
import { changedSections } from './config-changes.ts';
import { CrashLine } from './crash-line.ts';
import { HangUps } from './hang-ups.ts';
import { modelBanner, startBanner } from './start-banner.ts';
import { StopSignals } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';
import { terminalWatcher } from './terminal-watcher.ts';

const DRAIN_MS = 30_000;

/** `stackgate serve`: runs the gateway until a signal stops it. */
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

/** Commander passes unknown words to the default command. */
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
  await using output = context.openOutput();
  const log = openLog(
    { level: config.log.level, format: config.log.format ?? (process.stdout.isTTY ? 'pretty' : 'json') },
    output.log,
  );
  using _lastWords = new CrashLine(log);
  using signals = new StopSignals();
  using hangUps = new HangUps();
  const { terminal } = output;
  const logLinesDropped = () => output.log.linesDropped;
  const options = { config, log, logLinesDropped, signal: signals.stop };
  const gateway = await openUnlessStopped({ context, terminal }, options);
  if (gateway === undefined) return;
  try {
    await start({ gateway, config, terminal }, signals.stop).catch((error: unknown) => {
      if (!signals.stop.aborted) throw error;
    });
    hangUps.onEach(reloader({ gateway, readConfig, log, terminal, config }));
    await signals.stopRequested;
    await untilNoticed({ gateway, config, log }, signals);
    log.info({}, 'draining');
  } finally {
    await gateway.stop(AbortSignal.any([AbortSignal.timeout(DRAIN_MS), signals.hurry]));
  }
  log.info({}, 'stopped');
}

/** Gives load balancers time to notice `/readyz` and send requests elsewhere. */
async function untilNoticed(
  { gateway, config, log }: Pick<Started, 'gateway' | 'config' | 'log'>,
  signals: StopSignals,
): Promise<void> {
  const { drainDelaySeconds } = config.server;
  if (drainDelaySeconds === 0 || !signals.mayDelay) return;
  gateway.announceStop();
  log.info({ drainDelaySeconds }, 'stopping soon');
  await signals.delay(drainDelaySeconds * 1000);
}

/** Opens the gateway; undefined if a signal arrived while waiting for its dependencies. */
async function openUnlessStopped(
  { context, terminal }: { readonly context: CommandContext; readonly terminal: Terminal },
  options: Pick<ServeOptions, 'config' | 'log' | 'logLinesDropped' | 'signal'>,
): Promise<ServedGateway | undefined> {
  try {
    return await context.openGateway({
      ...options,
      announce: (message) => terminal.out(`${message}\n`),
      models: context.openModels(options.config),
      fetchWatcher: terminal.isWatched
        ? terminalWatcher(terminal)
        : logWatcher(options.log, () => performance.now()),
    });
  } catch (error) {
    if (options.signal.aborted) return undefined;
    throw error;
  }
}

interface Started {
  readonly gateway: ServedGateway;
  readonly config: Config;
  readonly log: Log;
  readonly terminal: Terminal;
}

async function start(
  { gateway, config, terminal }: Omit<Started, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { isTerminal } = terminal;
  const announce = (message: string) => terminal.out(`${message}\n`);
  // The embedded database is not away: what it refuses now, it refuses again.
  const whenThere = <Result>(work: () => Promise<Result>) =>
    config.database === undefined ? work() : whenReachable(work, { announce, signal });
  const configured = await whenThere(() => gateway.configure(config, { keepsSecrets: !isTerminal }));
  // Printed before anything else can fail: secrets are shown only once.
  tellGenerated(terminal, configured);
  const url = await gateway.listen();
  const consoleLink = await whenThere(() => linkToConsole(gateway, config.server.publicUrl ?? url));
  terminal.out(startBanner(url, configured, { showsSecrets: isTerminal, consoleLink }));
  void tellOfModel({ gateway, terminal, signal }, url, configured);
}

/** The first operator's link, which is always shown: it is the only way in. */
async function linkToConsole(gateway: ServedGateway, origin: string): Promise<string | undefined> {
  const token = await gateway.firstOperatorToken();
  return token === undefined ? undefined : setupLinkUrl(origin, token);
}

/** Announces the embedded model once it is ready; failures are in the log. */
async function tellOfModel(
  { gateway, terminal, signal }: Pick<Started, 'gateway' | 'terminal'> & { readonly signal: AbortSignal },
  url: string,
  configured: ConfiguredStacks,
): Promise<void> {
  const model = await gateway.modelReady(signal).catch(() => undefined);
  if (model === undefined) return;
  terminal.out(modelBanner(url, configured, { model, showsSecrets: terminal.isTerminal }));
}

interface Reloading extends Started {
  readonly readConfig: () => Promise<Config>;
}

/** Reloads the configuration, one reload at a time; an invalid one is rejected and the old one stays. */
function reloader({ gateway, readConfig, log, terminal, config }: Reloading): () => void {
  let reloading = Promise.resolve();
  const reload = async () => {
    gateway.reloadCertificate();
    try {
      const next = await readConfig();
      tellGenerated(terminal, await gateway.configure(next, { keepsSecrets: !terminal.isTerminal }));
      log.info({ needRestart: changedSections(config, next) }, 'configuration read anew');
    } catch (error) {
      log.error({ error }, 'the configuration was refused; the old one stays');
    }
  };
  return () => {
    reloading = reloading.then(reload);
  };
}

function tellGenerated(terminal: Terminal, { generated }: ConfiguredStacks): void {
  for (const { stackId, id, secret, path } of generated) {
    const where =
      path === undefined ? `, shown this once: ${secret}` : ` is in ${path}; the file may be deleted`;
    terminal.out(`Key "${id}" of stack "${stackId}"${where}\n`);
  }
}
