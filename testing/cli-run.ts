import type { CommandContext } from '../src/cli/command-context.ts';
import { runProgram } from '../src/cli/run-program.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load-config.ts';

/** Output and exit code of a command line. */
export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Isolates a command line from the machine's environment, configuration and signals. */
export interface CliSurroundings extends Omit<Partial<CommandContext>, 'terminal' | 'openOutput'> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  readonly isWatched?: boolean;
  readonly isTerminal?: boolean;
  /** Called for each text on the standard output. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a command line in this process. */
export async function runCli(
  argv: readonly string[],
  surroundings: CliSurroundings = {},
): Promise<CliResult> {
  const {
    environment = {},
    workingDirectory = '/nowhere',
    isWatched = false,
    isTerminal = false,
    onOutput = () => {},
    ...parts
  } = surroundings;
  let [out, err] = ['', ''];
  const terminal = {
    isWatched,
    isTerminal,
    out: (text: string) => {
      out += text;
      onOutput(text);
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await runProgram(argv, {
    loadConfig: (configFlag) =>
      loadConfig({ ...(configFlag === undefined ? {} : { configFlag }), environment, workingDirectory }),
    openGateway: () => unexpected('openGateway'),
    openSearch: () => unexpected('openSearch'),
    openSearchMove: () => unexpected('openSearchMove'),
    openModels: () => unexpected('openModels'),
    openBlobs: () => unexpected('openBlobs'),
    openPdfEngine: () => unexpected('openPdfEngine'),
    withDatabase: (_config: Config) => unexpected('withDatabase'),
    ...parts,
    terminal,
    openOutput: () => ({ log: noLog, terminal, [Symbol.asyncDispose]: async () => {} }),
  });
  return { code, out, err };
}

const noLog = { write: () => {}, flush: () => {}, onDropped: () => {}, linesDropped: 0 };

function unexpected(part: string): never {
  throw new Error(`this command line was not expected to use ${part}`);
}
