import { toFault } from '../faults/fault.ts';
import { ownMemory } from '../lib/own-memory.ts';
import { Moved, serveRequests } from '../supervision/serve-requests.ts';
import { scanParsedPrompt, scanPrompt } from '../text/wire/formats/scan-prompt.ts';
import type { ScannedBody } from '../text/wire/scanned-body.ts';
import type { JsonJob, JsonOutcome } from './large-json.ts';
import { measureJson, parseMeasured } from './parse-json.ts';

// The thread in which large bodies are scanned or parsed.
await serveRequests(() => ({ handle: (job) => outcomeOf(job as JsonJob) }));

function outcomeOf({ bytes: { buffer, byteOffset, byteLength }, ...options }: JsonJob): JsonOutcome | Moved {
  try {
    return read(Buffer.from(buffer, byteOffset, byteLength), options);
  } catch (error) {
    const { code, message } = toFault(error);
    return { code, message };
  }
}

function read(
  bytes: Buffer,
  { exactIntegers, isMeasured, format }: Omit<JsonJob, 'bytes'>,
): JsonOutcome | Moved {
  if (!isMeasured) measureJson(bytes);
  const scanned = format && scanPrompt(format, bytes);
  if (scanned !== undefined) return moved(scanned);
  const value = parseMeasured(bytes, { exactIntegers });
  const written = format && scanParsedPrompt(format, value);
  return written === undefined ? { value } : moved(written);
}

function moved({ parts }: ScannedBody): Moved {
  return new Moved({ scanned: parts } satisfies JsonOutcome, ownMemory(parts.bytes));
}
