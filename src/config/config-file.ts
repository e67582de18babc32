import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode } from '../lib/error-code.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { Environment } from './process-environment.ts';

const maxFileBytes = 1024 * 1024;
const defaultName = 'stackgate.yaml';

export interface ConfigSource {
  /** The value of `--config`. */
  readonly configFlag?: string;
  readonly environment: Environment;
  readonly workingDirectory: string;
}

export interface ConfigFile {
  /** The path as given, for messages. */
  readonly name: string;
  /** The absolute path. */
  readonly path: string;
  readonly text: string;
}

/** The file, nothing if there is none, or problems. */
export interface ReadConfigFile {
  readonly file?: ConfigFile;
  readonly problems: readonly ConfigProblem[];
}

/** Reads the file named by `--config`, else by `STACKGATE_CONFIG`, else `./stackgate.yaml` if it exists. */
export async function readConfigFile(source: ConfigSource): Promise<ReadConfigFile> {
  const { name, namedBy } = chooseFile(source);
  const path = resolve(source.workingDirectory, name);
  try {
    await using file = await open(path, 'r');
    return { file: { name, path, text: decode(await readBounded(file)) }, problems: [] };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' && namedBy === undefined) return { problems: [] };
    const by = namedBy === undefined ? '' : ` (named by ${namedBy})`;
    return { problems: [{ source: name, message: `${reason(error, code)}${by}` }] };
  }
}

function chooseFile(source: ConfigSource): { readonly name: string; readonly namedBy?: string } {
  if (source.configFlag !== undefined) return { name: source.configFlag, namedBy: '--config' };
  const fromEnvironment = source.environment.STACKGATE_CONFIG;
  if (fromEnvironment) return { name: fromEnvironment, namedBy: 'STACKGATE_CONFIG' };
  return { name: defaultName };
}

/** Reads with a bound: a pipe or device has no size to check first. */
async function readBounded(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(maxFileBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  throw new FileUnusable(`the file is larger than ${maxFileBytes} bytes`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileUnusable('the file is not UTF-8 text');
  }
}

class FileUnusable extends Error {}

function reason(error: unknown, code: string | undefined): string {
  if (error instanceof FileUnusable) return error.message;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EISDIR') return 'expected a file, got a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'the file may not be read by this user';
  return `the file cannot be read${code === undefined ? '' : ` (${code})`}`;
}
