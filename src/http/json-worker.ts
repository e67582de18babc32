import { toFault } from '../faults/fault.ts';
import { serveRequests } from '../supervision/serve-requests.ts';
import type { JsonJob, JsonOutcome } from './large-json.ts';
import { parseJson } from './parse-json.ts';

// The thread in which large bodies are parsed.
await serveRequests(() => ({ handle: (job) => outcomeOf(job as JsonJob) }));

function outcomeOf({ bytes, exactIntegers }: JsonJob): JsonOutcome {
  try {
    const { buffer, byteOffset, byteLength } = bytes;
    return { value: parseJson(Buffer.from(buffer, byteOffset, byteLength), { exactIntegers }) };
  } catch (error) {
    const { code, message } = toFault(error);
    return { code, message };
  }
}
