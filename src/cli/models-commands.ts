import { resolve } from 'node:path';
import type { Command } from 'commander';
import { listModels, useModel, usersOf } from '../admin/models.ts';
import { OperatorError } from '../admin/operator-error.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import { isModelPath } from '../config/model-path.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';
import {
  choiceText,
  healthRow,
  healthView,
  listRow,
  listView,
  type ModelFileHealth,
} from './models-views.ts';
import { fetchLine, ProgressLine } from './progress-line.ts';
import { StopSignals } from './stop-signals.ts';
import { table } from './terminal.ts';

/** `stackgate models …`; works without a running server. */
export function addModelsCommands(program: Command, context: CommandContext): void {
  const models = program.command('models').description('Fetch, check and choose the embedded models');
  addList(models, context);
  addPull(models, context);
  addRemove(models, context);
  addUse(models, context);
  addVerify(models, context);
}

function addList(models: Command, context: CommandContext): void {
  models
    .command('list')
    .description('List the catalogue: what is installed, what is in use')
    .addHelpText('after', '\nExample:\n  stackgate models list')
    .action(async (_options: unknown, command: Command) => {
      const { config, store } = await open(context, command);
      const listed = await listModels(store, config);
      report(context, command, { data: listed.map(listView), text: table(listed.map(listRow)) });
    });
}

function addPull(models: Command, context: CommandContext): void {
  models
    .command('pull')
    .description('Bring a model onto this machine; goes on where an interrupted pull ended')
    .argument('<name>', 'a name of "stackgate models list"')
    .option('--from <path>', 'take it from a file or folder of this machine')
    .addHelpText('after', '\nExample:\n  stackgate models pull smollm2-135m-instruct')
    .action(async (name: string, options: { from?: string }, command: Command) => {
      const { store } = await open(context, command);
      const installed = await untilStopped(async (signal) => {
        using line = new ProgressLine(context.terminal);
        return await store.install(name, {
          signal,
          onProgress: (progress) => line.show(fetchLine(name, progress)),
          ...(options.from !== undefined && { from: resolve(options.from) }),
        });
      });
      const paths = installed.files.map(({ path }) => path);
      report(context, command, {
        data: { name, files: installed.files },
        text: `${name} is here:\n${paths.map((path) => `  ${path}\n`).join('')}`,
      });
    });
}

function addRemove(models: Command, context: CommandContext): void {
  models
    .command('remove')
    .description('Remove a model and what is left of unfinished pulls of it')
    .argument('<name>', 'a name of "stackgate models list"')
    .addHelpText('after', '\nExample:\n  stackgate models remove qwen3-4b')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { config, store } = await open(context, command);
      const isRemoved = await untilStopped((signal) => store.remove(name, signal));
      const users = usersOf(config, name);
      const note = users.length === 0 ? '' : ` ${users.join(' and ')} will fetch it again at the next start.`;
      report(context, command, {
        data: { name, removed: isRemoved, used_by: users },
        text: `${isRemoved ? `${name} is removed.` : `${name} was not installed.`}${note}\n`,
      });
    });
}

function addUse(models: Command, context: CommandContext): void {
  models
    .command('use')
    .description('Choose the embedded text model of a gateway whose configuration names none')
    .argument('<model>', 'a name of "stackgate models list", or the path of a .gguf file')
    .addHelpText('after', '\nExample:\n  stackgate models use qwen3-4b')
    .action(async (model: string, _options: unknown, command: Command) => {
      const { config, store } = await open(context, command);
      const choice = await useModel(store, config, isModelPath(model) ? resolve(model) : model);
      report(context, command, {
        data: { model: choice.model, switched: choice.switched, named_by_file: choice.named },
        text: choiceText(choice, config),
      });
      if (choice.switched.length === 0) throw new OperatorError('nothing was switched');
    });
}

function addVerify(models: Command, context: CommandContext): void {
  models
    .command('verify')
    .description('Hash the files of a model again, or of all that are installed')
    .argument('[name]', 'a name of "stackgate models list"')
    .addHelpText('after', '\nExample:\n  stackgate models verify')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const { store } = await open(context, command);
      const healths = await untilStopped((signal) => verifyAll(store, name, signal));
      report(context, command, { data: healths.map(healthView), text: table(healths.map(healthRow)) });
      const bad = healths.filter(({ health }) => health !== 'good');
      if (bad.length > 0) {
        throw new OperatorError(
          `${bad.length} of ${healths.length} files are not what they should be; "stackgate models pull" fetches them again`,
        );
      }
    });
}

async function open(
  context: CommandContext,
  command: Command,
): Promise<{ readonly config: Config; readonly store: ModelStore }> {
  const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
  return { config, store: context.openModels(config) };
}

/** Runs work that signals abort cleanly, so that partial downloads are kept. */
async function untilStopped<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  using signals = new StopSignals();
  try {
    return await work(signals.stop);
  } catch (error) {
    if (!signals.stop.aborted) throw error;
    throw new OperatorError('stopped; the next pull goes on from here');
  }
}

async function verifyAll(
  store: ModelStore,
  name: string | undefined,
  signal: AbortSignal,
): Promise<readonly ModelFileHealth[]> {
  const names = name === undefined ? store.entries.map((entry) => entry.name) : [store.entry(name).name];
  const healths: ModelFileHealth[] = [];
  for (const model of names) {
    const files = await store.verify(model, signal);
    const isAbsent = files.every(({ health }) => health === 'missing');
    if (name === undefined && isAbsent) continue;
    healths.push(...files.map((file) => ({ ...file, model })));
  }
  return healths;
}
