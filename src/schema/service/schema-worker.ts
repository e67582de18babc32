import {
  compileSchema,
  examineSchema,
  PatternLibrary,
  SchemaRefused,
  SchemaValidator,
} from '@stackgate/json-schema-grammar';
import { serveRequests } from '../../supervision/serve-requests.ts';
import { ownThread, threadCpuMs } from '../../supervision/thread-cpu.ts';
import type { JobOutcome, SchemaJob } from './schema-job.ts';
import { ValueValidator } from './value-validator.ts';

const EXAMPLE = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

// Entry of a schema worker, which runs one job at a time.
await serveRequests(() => {
  const thread = ownThread();
  const clock = { nowMs: () => performance.now(), cpuMs: () => threadCpuMs(thread) };
  const tools = { validator: new SchemaValidator(), patterns: new PatternLibrary(), clock };
  const values = new ValueValidator(tools);
  // Warm-up: the first schema takes fifty times as long as the next, so it is not a caller's.
  examineSchema(EXAMPLE, tools);
  values.problems(JSON.stringify(EXAMPLE), {});
  const run = (job: SchemaJob): unknown => {
    switch (job.kind) {
      case 'compile':
        return compileSchema(JSON.parse(job.schema), { ...tools, ...job.options });
      case 'examine':
        return examineSchema(JSON.parse(job.schema), tools);
      case 'validate':
        return values.problems(job.schema, JSON.parse(job.value));
      case 'breach':
        return values.breach(job.schema, job.text) ?? null;
    }
  };
  return { handle: (job) => outcomeOf(() => run(job as SchemaJob)) };
});

function outcomeOf(work: () => unknown): JobOutcome<unknown> {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    const { reason, path, message } = error;
    return { refused: { reason, path, message } };
  }
}
