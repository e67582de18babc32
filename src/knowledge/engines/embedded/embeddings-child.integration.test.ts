import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { childProcesses } from '../../../../testing/child-processes.ts';
import { createLog } from '../../../telemetry/log.ts';
import { EmbeddedEmbeddings } from './embedded-embeddings.ts';

const engine = new EmbeddedEmbeddings({ log: createLog('silent', { write: () => {} }) });
const work = { stackId: 'stack_1', signal: new AbortController().signal };

afterEach(() => engine.stop(AbortSignal.abort()));

it.runIf(process.platform === 'linux')('keeps no reports for the maker of ONNX Runtime', async () => {
  await engine.embed(['A text.'], work);
  const files = childProcesses('embeddings-child.js').flatMap(filesOf);
  expect(files).not.toEqual([]);
  expect(files.filter((path) => /onnxruntime\.db|mat-debug/.test(path))).toEqual([]);
});

function filesOf(id: number): readonly string[] {
  return readdirSync(`/proc/${id}/fd`).map((descriptor) => readlinkSync(`/proc/${id}/fd/${descriptor}`));
}
