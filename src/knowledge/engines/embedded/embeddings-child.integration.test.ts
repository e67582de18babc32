import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '../../../telemetry/log.ts';
import { EmbeddedEmbeddings } from './embedded-embeddings.ts';

const engine = new EmbeddedEmbeddings({ log: createLog('silent', { write: () => {} }) });
const work = { stackId: 'stack_1', signal: new AbortController().signal };

afterEach(() => engine.stop(AbortSignal.abort()));

it.runIf(process.platform === 'linux')('keeps no reports for the maker of ONNX Runtime', async () => {
  await engine.embed(['A text.'], work);
  const files = filesOf(childOf('embeddings-child.js'));
  expect(files).not.toEqual([]);
  expect(files.filter((path) => /onnxruntime\.db|mat-debug/.test(path))).toEqual([]);
});

function childOf(entry: string): string {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const child = ids.find((id) => isOurs(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(entry));
  if (child === undefined) throw new Error(`no child runs ${entry}`);
  return child;
}

function isOurs(id: string): boolean {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`);
  } catch {
    return false;
  }
}

function filesOf(id: string): readonly string[] {
  return readdirSync(`/proc/${id}/fd`).map((descriptor) => readlinkSync(`/proc/${id}/fd/${descriptor}`));
}
