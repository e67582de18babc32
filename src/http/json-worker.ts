import { toFault } from '../faults/fault.ts';
import { freeMemory } from '../lib/free-memory.ts';
import { ownMemory } from '../lib/own-memory.ts';
import { Moved, serveRequests } from '../supervision/serve-requests.ts';
import { scanParsedPrompt, scanPrompt, staysUnparsed } from '../text/wire/formats/scan-prompt.ts';
import type { ScannedBody } from '../text/wire/scanned-body.ts';
import type { JsonJob, JsonOutcome } from './large-json.ts';
import { measureJson, parseMeasured } from './parse-json.ts';

// The thread in which large bodies are scanned or parsed.
await serveRequests(() => ({ handle: (job) => outcomeOf(job as JsonJob) }));

function outcomeOf({ bytes: { buffer, byteOffset, byteLength }, ...options }: JsonJob): JsonOutcome | Moved {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  try {
    return read(bytes, options);
  } catch (error) {
    freeMemory(bytes);
    const { code, message } = toFault(error);
    return { code, message };
  }
}

function read(
  bytes: Buffer,
  { exactIntegers, isMeasured, scan }: Omit<JsonJob, 'bytes'>,
): JsonOutcome | Moved {
  if (!isMeasured) measureJson(bytes);
  const rule = scan !== undefined && bytes.length >= scan.fromBytes ? scan : undefined;
  const scanned = rule && scanPrompt(rule.format, bytes);
  if (rule && scanned && staysUnparsed(scanned, rule)) return moved(scanned);
  const value = parseMeasured(bytes, { exactIntegers });
  freeMemory(bytes);
  const written = rule && scanParsedPrompt(rule.format, value);
  return rule && written && staysUnparsed(written, rule) ? moved(written) : { value };
}

function moved({ parts }: ScannedBody): Moved {
  return new Moved({ scanned: parts } satisfies JsonOutcome, ownMemory(parts.bytes));
}
