import type { CanonicalJson } from '../../../lib/canonical-json.ts';
import { KnownTools } from '../known-tools.ts';
import { type PromptGrammar, type ScannedBody, type ScannedMessages, scanBody } from '../scanned-body.ts';

/** More structural characters than a tool has outside of its schema. */
const ITEM_WEIGHT = 16;
/** What a message has, with the comma before it. */
const MESSAGE_WEIGHT = 5;

const TOOL_HEAD = Buffer.from('{"type":"function","function":{"name":');
const TOOL_DESCRIPTION = Buffer.from(',"description":');
const TOOL_PARAMETERS = Buffer.from(',"parameters":');
const TOOL_END = Buffer.from('}}');
const COMMA = Buffer.from(',');

const knownTools = new KnownTools(readTools);
const grammar: PromptGrammar = { readMessages, readTools: (json) => knownTools.read(json) };

/**
 * Reads a body whose messages say the same in the common chat format: user and assistant take turns, and speak plain text.
 * Tools are put into the other format around their bytes. Everything else is `undefined` and is parsed.
 */
export function scanMessagesBody(bytes: Buffer): ScannedBody | undefined {
  return scanBody(bytes, grammar);
}

function readMessages(json: CanonicalJson): ScannedMessages {
  const from = json.at + 1;
  let isAfterUser = false;
  json.items((index) => {
    json.weigh(MESSAGE_WEIGHT);
    json.take('{"role":"');
    const isUser = json.skip('user","content":');
    if (!isUser) json.take('assistant","content":');
    // Neighbours of one side would be one turn.
    if (index > 0 && isUser === isAfterUser) json.refuse();
    isAfterUser = isUser;
    // An assistant that says nothing is left out.
    if (isUser) json.string();
    else json.filledString();
    json.take('}');
  });
  const end = json.at - 1;
  if (end === from) json.refuse();
  return { system: undefined, items: json.bytes.subarray(from, end) };
}

function readTools(json: CanonicalJson): Buffer {
  const pieces: Buffer[] = [];
  json.items((index) => {
    json.weigh(ITEM_WEIGHT);
    if (index > 0) pieces.push(COMMA);
    json.take('{"name":');
    pieces.push(
      TOOL_HEAD,
      spanOf(json, () => json.filledString()),
    );
    if (json.skip(',"description":'))
      pieces.push(
        TOOL_DESCRIPTION,
        spanOf(json, () => json.string()),
      );
    json.take(',"input_schema":');
    pieces.push(
      TOOL_PARAMETERS,
      spanOf(json, () => json.object()),
      TOOL_END,
    );
    // Where a prompt is cached is the vendor's business: it is not sent on.
    if (json.skip(',"cache_control":')) json.value();
    json.take('}');
  });
  return Buffer.concat(pieces);
}

function spanOf(json: CanonicalJson, read: () => unknown): Buffer {
  const from = json.at;
  read();
  return json.bytes.subarray(from, json.at);
}
