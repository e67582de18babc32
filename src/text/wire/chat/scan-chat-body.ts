import type { CanonicalJson } from '../../../lib/canonical-json.ts';
import { KnownFields } from '../known-fields.ts';
import { KnownTools } from '../known-tools.ts';
import { type PromptGrammar, type ScannedBody, type ScannedMessages, scanBody } from '../scanned-body.ts';

/** More structural characters than a call has, or a tool without its schema. */
const ITEM_WEIGHT = 16;
/** Structural characters of a text message with its comma; tool messages have two more, tool calls three more around them. */
const MESSAGE_WEIGHT = 5;
const MORE_WEIGHT = 3;

const knownTools = new KnownTools(readTools);
const grammar: PromptGrammar = {
  fields: new KnownFields(),
  readMessages,
  readTools: (json) => knownTools.read(json),
};

/**
 * Scans a body whose messages and tools can be sent on unchanged: exactly the members that are sent, in that order. Returns
 * `undefined` for all others, including invalid ones, which are parsed instead; see canonical-json.ts.
 */
export function scanChatBody(bytes: Buffer): ScannedBody | undefined {
  return scanBody(bytes, grammar);
}

function readMessages(json: CanonicalJson): ScannedMessages {
  const from = json.at + 1;
  let start = from;
  let system: string | undefined;
  json.items((index) => {
    json.weigh(MESSAGE_WEIGHT);
    json.take('{"role":"');
    if (index === 0 && json.skip('system","content":')) {
      const textFrom = json.at;
      json.string();
      system = JSON.parse(json.bytes.toString('utf8', textFrom, json.at)) as string;
      // Skips the comma or the end of the list.
      start = json.at + 2;
    } else readTurn(json);
    json.take('}');
  });
  const end = json.at - 1;
  if (end === from) json.refuse();
  return { system, items: json.bytes.subarray(Math.min(start, end), end) };
}

function readTurn(json: CanonicalJson): void {
  if (json.skip('user","content":')) json.string();
  else if (json.skip('tool","tool_call_id":')) {
    json.weigh(MORE_WEIGHT);
    json.filledString();
    json.take(',"content":');
    json.string();
  } else {
    json.take('assistant","content":');
    readAssistant(json);
  }
}

// Beside calls an empty text is sent as `null`, so it cannot be passed on.
function readAssistant(json: CanonicalJson): void {
  const isSilent = json.skip('null');
  const isEmpty = !isSilent && json.string() === 0;
  if (isSilent) json.take(',"tool_calls":');
  else if (isEmpty || !json.skip(',"tool_calls":')) return;
  json.weigh(MORE_WEIGHT);
  json.take('[');
  do readCall(json);
  while (json.skip(','));
  json.take(']');
}

function readCall(json: CanonicalJson): void {
  json.weigh(ITEM_WEIGHT);
  json.take('{"id":');
  json.string();
  json.take(',"type":"function","function":{"name":');
  json.filledString();
  json.take(',"arguments":');
  json.filledString();
  json.take('}}');
}

function readTools(json: CanonicalJson): Buffer {
  const from = json.at + 1;
  json.items(() => {
    json.weigh(ITEM_WEIGHT);
    json.take('{"type":"function","function":{"name":');
    json.filledString();
    if (json.skip(',"description":')) json.string();
    json.take(',"parameters":');
    json.object();
    json.skip(',"strict":true');
    json.take('}}');
  });
  return json.bytes.subarray(from, json.at - 1);
}
