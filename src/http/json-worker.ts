import { toFault } from '../faults/fault.ts';
import { freeMemory } from '../lib/free-memory.ts';
import { ownMemory } from '../lib/own-memory.ts';
import { unpark } from '../lib/parked-bytes.ts';
import { Moved, serveRequests } from '../supervision/serve-requests.ts';
import {
  type ScanRule,
  scanParsedPrompt,
  scanPrompt,
  staysUnparsed,
} from '../text/wire/formats/scan-prompt.ts';
import type { ScannedBody } from '../text/wire/scanned-body.ts';
import type { JsonJob, JsonOutcome } from './large-json.ts';
import { measureJson, parseMeasured } from './parse-json.ts';

// The thread in which large bodies are scanned or parsed.
await serveRequests(() => ({ handle: (job) => outcomeOf(job as JsonJob) }));

function outcomeOf({ bytes: sent, ...options }: JsonJob): JsonOutcome | Moved {
  const bytes = 'port' in sent ? unpark(sent) : Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
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
  if (rule && scanned && staysUnparsed(scanned, rule)) return scannedBy(rule, scanned);
  const value = parseMeasured(bytes, { exactIntegers });
  freeMemory(bytes);
  const written = rule && scanParsedPrompt(rule.format, value);
  return rule && written && staysUnparsed(written, rule) ? scannedBy(rule, written) : { value };
}

/** With a hash where it may be counted: on the thread of requests, hashing would take four milliseconds for each MiB. */
function scannedBy({ fromBytes }: ScanRule, body: ScannedBody): Moved {
  const { parts } = fromBytes === 0 ? body.hashed() : body;
  return new Moved({ scanned: parts } satisfies JsonOutcome, ownMemory(parts.bytes));
}
