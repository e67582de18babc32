import type { CanonicalJson } from '../../../lib/canonical-json.ts';
import { KnownFields } from '../known-fields.ts';
import { KnownTools } from '../known-tools.ts';
import { type PromptGrammar, type ScannedBody, type ScannedMessages, scanBody } from '../scanned-body.ts';

/** More structural characters than a tool has without its schema. */
const ITEM_WEIGHT = 16;
/** Structural characters of a message with its comma. */
const MESSAGE_WEIGHT = 5;

const TOOL_HEAD = Buffer.from('{"type":"function","function":{"name":');
const TOOL_DESCRIPTION = Buffer.from(',"description":');
const TOOL_PARAMETERS = Buffer.from(',"parameters":');
const TOOL_END = Buffer.from('}}');
const COMMA = Buffer.from(',');

const knownTools = new KnownTools(readTools);
const grammar: PromptGrammar = {
  fields: new KnownFields(),
  readMessages,
  readTools: (json) => knownTools.read(json),
};

/**
 * Scans a body whose messages are the same in the chat completions format: user and assistant alternate, with plain text only. Tools
 * are converted around their bytes. Returns `undefined` for all others, which are parsed instead.
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
    // Adjacent messages of one role would have to be merged.
    if (index > 0 && isUser === isAfterUser) json.refuse();
    isAfterUser = isUser;
    // An empty assistant message would have to be left out.
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
    // Cache hints are for the vendor's own servers and not sent on.
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
