import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { conversationOf, openDefaultModel } from './llama-engine.mjs';
import { markdownTable, median } from './statistics.mjs';

const QUESTION = 'Write a long story about a fox who lives by the sea.';
const FULL = { rounds: 5, writtenTokens: 96, sentences: 60, atOnce: [1, 2, 4] };
const QUICK = { rounds: 1, writtenTokens: 24, sentences: 20, atOnce: [1, 2] };
const TOKENS_PER_SENTENCE = 16;
const TICKS_PER_SECOND = 100;
const SAMPLING = {
  temperature: 0.3,
  topP: 1,
  topK: 0,
  minP: 0.1,
  seed: 1,
  repeatPenalty: { penalty: 1.05, maxPunishTokens: 256 },
  dryRepeatPenalty: { strength: 0.8, lastTokens: 256, sequenceBreakers: [':', '"', '*'] },
};

/** The embedded engine against the bare binding: tokens written and read per CPU second of all processes. */
export async function run({ quick }) {
  const model = await openDefaultModel({ adapter: 'none' });
  if (model.engine === undefined) {
    console.log(`llama: skipped, ${model.reason}`);
    return { isSkipped: true };
  }
  const extent = quick ? QUICK : FULL;
  const bare = await BareBinding.start(model.modelPath, Math.max(...extent.atOnce));
  try {
    await measureAll({ model, bare, ...extent });
  } finally {
    bare.close();
    await model.close();
  }
}

async function measureAll({ model, bare, rounds, writtenTokens, sentences, atOnce }) {
  const rows = [];
  // Creating contexts and compiling is not counted.
  await compare('', { model, bare, rounds: 1, ...writing(Math.max(...atOnce), writtenTokens) });
  for (const count of atOnce)
    rows.push(
      await compare(`write, ${count} at once`, { model, bare, rounds, ...writing(count, writtenTokens) }),
    );
  const tokens = sentences * TOKENS_PER_SENTENCE;
  rows.push(await compare(`read some ${tokens} tokens`, { model, bare, rounds, ...reading(sentences) }));
  console.log(markdownTable(['', 'bare, tokens per CPU s', 'engine', 'ratio'], rows));
  console.log(await secondTurn(model, sentences));
  console.log(`resident memory of the engine's process: ${residentMegabytes(childId())} MB`);
}

function writing(count, maxTokens) {
  const questions = Array.from({ length: count }, (_, index) => `${QUESTION} Part ${index + 1}.`);
  return { questions: () => questions, maxTokens, figure: 'written' };
}

/** A new prefix each time, so that nothing is cached. */
function reading(sentences) {
  let round = 0;
  const questions = () => {
    round += 1;
    return [
      `Text ${round}. ${'The quick brown fox jumps over the lazy dog near the river. '.repeat(sentences)}`,
    ];
  };
  return { questions, maxTokens: 1, figure: 'read' };
}

async function compare(name, { model, bare, rounds, questions, maxTokens, figure }) {
  const ratios = [];
  const figures = { bare: [], engine: [] };
  for (let round = 0; round < rounds; round += 1) {
    const asked = questions();
    const one = await bare.ask({ texts: asked.map(rendered), maxTokens });
    const other = await measured(() => askAll(model, asked, maxTokens));
    figures.bare.push(one[figure] / one.cpuSeconds);
    figures.engine.push(other[figure] / other.cpuSeconds);
    ratios.push(figures.engine.at(-1) / figures.bare.at(-1));
  }
  const shown = [median(figures.bare), median(figures.engine)].map((value) => value.toFixed(1));
  return [name, ...shown, median(ratios).toFixed(2)];
}

async function askAll(model, questions, maxTokens) {
  const replies = await Promise.all(
    questions.map((question) => model.ask(conversationOf(question, { maxTokens }))),
  );
  const sum = (count) => replies.reduce((total, { usage }) => total + usage[count], 0);
  return { written: sum('completionTokens'), read: sum('promptTokens') };
}

/** The same conversation with one more turn: only the new part is read. */
async function secondTurn(model, sentences) {
  const text = `Turns. ${'The quick brown fox jumps over the lazy dog near the river. '.repeat(sentences)}`;
  const first = [{ role: 'user', parts: [{ type: 'text', text }] }];
  let said = '';
  const one = await measured(async () => {
    said = (await model.ask(conversationOf(first, { maxTokens: 8 }))).text;
  });
  const second = [
    ...first,
    { role: 'assistant', text: said, toolCalls: [] },
    { role: 'user', parts: [{ type: 'text', text: 'And then?' }] },
  ];
  const other = await measured(() => model.ask(conversationOf(second, { maxTokens: 8 })));
  return `second turn: ${Math.round(other.cpuSeconds * 1000)} instead of ${Math.round(one.cpuSeconds * 1000)} CPU ms`;
}

/** The result of work, and the CPU seconds of this process and the engine's. */
async function measured(work) {
  const id = childId();
  const before = cpuSeconds(id);
  const result = await work();
  return { ...result, cpuSeconds: cpuSeconds(id) - before };
}

function childId() {
  const isChild = (id) => {
    try {
      const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
      return (
        Number(parent) === process.pid &&
        readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('llama-child.js')
      );
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isChild(name));
}

function cpuSeconds(id) {
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
  const own = process.cpuUsage();
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND + (own.user + own.system) / 1e6;
}

function residentMegabytes(id) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024);
}

function rendered(question) {
  return `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
}

class BareBinding {
  #child;
  #lines;

  static async start(modelPath, sequences) {
    const bare = new BareBinding();
    const script = fileURLToPath(new URL('bare-llama.mjs', import.meta.url));
    const setup = { modelPath, contextSize: 2_048, sequences, sampling: SAMPLING };
    bare.#child = spawn(process.execPath, [script, JSON.stringify(setup)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    bare.#lines = createInterface({ input: bare.#child.stdout })[Symbol.asyncIterator]();
    await bare.#next();
    return bare;
  }

  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    return this.#next();
  }

  async #next() {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error('the bare binding ended');
      if (value.startsWith('{')) return JSON.parse(value);
    }
  }

  close() {
    this.#child.stdin.end();
    this.#child.kill();
  }
}
