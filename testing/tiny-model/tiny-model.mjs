import { writeFile } from 'node:fs/promises';
import { ggufBytes } from './gguf-writer.mjs';

const EMBEDDING = 384;
const HEADS = 6;
const KEY_HEADS = 2;
const HEAD_SIZE = EMBEDDING / HEADS;
const FEED_FORWARD = 64;
const LAYERS = 2;
const CONTEXT = 512;
/** Control tokens of most chat models. */
const CONTROL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
/** Like many templates, it has a default system prompt. */
const TEMPLATE = `{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are tiny.<|im_end|>\\n' }}{% endif %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;
const SAYS = ['Hello', ' there', ',', ' caf', 'é', ' and', ' 🙂', ' to', ' you', '!'];

/**
 * Writes a model of a few layers that was never trained: most likely it says the given words one after the other and ends, or
 * with `loops` begins again without an end; what it has read before changes the odds a little.
 */
export async function writeTinyModel(path, { says = SAYS, loops = false, seed = 1 } = {}) {
  const vocabulary = makeVocabulary(says);
  const random = seededRandom(seed);
  const tensors = [...layers(random), ...edges(vocabulary, { says, loops, random })];
  await writeFile(path, ggufBytes({ values: metadata(vocabulary), tensors }));
}

function metadata({ tokens, types, merges, ids }) {
  return [
    ['general.architecture', 'string', 'llama'],
    ['general.name', 'string', 'tiny'],
    ['llama.block_count', 'u32', LAYERS],
    ['llama.context_length', 'u32', CONTEXT],
    ['llama.embedding_length', 'u32', EMBEDDING],
    ['llama.feed_forward_length', 'u32', FEED_FORWARD],
    ['llama.attention.head_count', 'u32', HEADS],
    ['llama.attention.head_count_kv', 'u32', KEY_HEADS],
    ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
    ['llama.rope.dimension_count', 'u32', HEAD_SIZE],
    ['llama.rope.freq_base', 'f32', 10_000],
    ['llama.vocab_size', 'u32', tokens.length],
    ['tokenizer.ggml.model', 'string', 'gpt2'],
    ['tokenizer.ggml.pre', 'string', 'smollm'],
    ['tokenizer.ggml.tokens', ['string'], tokens],
    ['tokenizer.ggml.token_type', ['i32'], types],
    ['tokenizer.ggml.merges', ['string'], merges],
    ['tokenizer.ggml.bos_token_id', 'u32', ids.get('<|im_start|>')],
    ['tokenizer.ggml.eos_token_id', 'u32', ids.get('<|im_end|>')],
    ['tokenizer.ggml.add_bos_token', 'bool', false],
    ['tokenizer.chat_template', 'string', TEMPLATE],
  ];
}

/** All bytes, the control tokens, and each word with its prefixes. */
function makeVocabulary(words) {
  const letters = byteLetters();
  const spelled = (text) => [...Buffer.from(text)].map((byte) => letters[byte]);
  const tokens = [...letters, ...CONTROL];
  const merges = [];
  const ids = new Map(tokens.map((token, index) => [token, index]));
  for (const word of words) {
    if (/[^\x20-\x7e]/.test(word)) continue;
    spelled(word).reduce((beginning, letter) => {
      const longer = beginning + letter;
      if (!ids.has(longer)) {
        ids.set(longer, tokens.length);
        tokens.push(longer);
        merges.push(`${beginning} ${letter}`);
      }
      return longer;
    });
  }
  if (tokens.length > EMBEDDING) throw new Error('these words have too many beginnings');
  const types = tokens.map((token) => (CONTROL.includes(token) ? 3 : 1));
  /** One token per word, or one per byte of non-ASCII text. */
  const idsOf = (word) => {
    const whole = ids.get(spelled(word).join(''));
    return whole === undefined ? spelled(word).map((letter) => ids.get(letter)) : [whole];
  };
  return { tokens, types, merges, ids, idsOf };
}

/** A printable letter per byte, as in the vocabularies of GPT-2 and its successors. */
function byteLetters() {
  const isShown = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let hidden = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    if (isShown(byte)) return String.fromCodePoint(byte);
    hidden += 1;
    return String.fromCodePoint(255 + hidden);
  });
}

/** Each token has its own direction; its successor follows the words, or is random. */
function edges({ tokens, ids, idsOf }, { says, loops, random }) {
  const embeddings = new Float32Array(EMBEDDING * tokens.length);
  const output = new Float32Array(EMBEDDING * tokens.length);
  for (const [id] of tokens.entries()) embeddings[id * EMBEDDING + id] = 1;
  for (let index = 0; index < output.length; index += 1) output[index] = 0.05 * random();
  const said = says.flatMap((word) => idsOf(word));
  const first = idsOf('\n');
  const end = loops ? said[0] : ids.get('<|im_end|>');
  [...first, ...said].forEach((id, index) => {
    output[(said[index] ?? end) * EMBEDDING + id] = 0.7;
  });
  return [
    { name: 'token_embd.weight', shape: [EMBEDDING, tokens.length], data: embeddings },
    { name: 'output_norm.weight', shape: [EMBEDDING], data: new Float32Array(EMBEDDING).fill(1) },
    { name: 'output.weight', shape: [EMBEDDING, tokens.length], data: output },
  ];
}

function layers(random) {
  const weights = (name, inputs, outputs) => ({
    name,
    shape: [inputs, outputs],
    data: Float32Array.from({ length: inputs * outputs }, () => 0.02 * random()),
  });
  const norm = (name) => ({ name, shape: [EMBEDDING], data: new Float32Array(EMBEDDING).fill(1) });
  return Array.from({ length: LAYERS }, (_, layer) => `blk.${layer}.`).flatMap((prefix) => [
    norm(`${prefix}attn_norm.weight`),
    weights(`${prefix}attn_q.weight`, EMBEDDING, EMBEDDING),
    weights(`${prefix}attn_k.weight`, EMBEDDING, KEY_HEADS * HEAD_SIZE),
    weights(`${prefix}attn_v.weight`, EMBEDDING, KEY_HEADS * HEAD_SIZE),
    weights(`${prefix}attn_output.weight`, EMBEDDING, EMBEDDING),
    norm(`${prefix}ffn_norm.weight`),
    weights(`${prefix}ffn_gate.weight`, EMBEDDING, FEED_FORWARD),
    weights(`${prefix}ffn_up.weight`, EMBEDDING, FEED_FORWARD),
    weights(`${prefix}ffn_down.weight`, FEED_FORWARD, EMBEDDING),
  ]);
}

/** Deterministic numbers from -1 to 1. */
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
