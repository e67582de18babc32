import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Fault } from '../dist/faults/fault.js';
import { systemClock } from '../dist/lib/clock.js';
import { bestDraft } from '../dist/pdf/drafts/best-draft.js';
import { instructionConversation } from '../dist/pdf/instruction-conversation.js';
import { stripCodeFence } from '../dist/pdf/strip-code-fence.js';
import { heldOutSets } from './default-model-sets.mjs';
import { perplexityOf } from './perplexity.mjs';
import { descendantsOf, treeThreadsUs } from './process-tree.mjs';
import { startServer } from './server-process.mjs';
import { markdownTable, median } from './statistics.mjs';

const gatewayScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const judgeScript = fileURLToPath(
  new URL('../models/assistant/evaluation/judge_answers.py', import.meta.url),
);
const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const MODEL = 'smollm2-135m-instruct';
/** Each is an engine and a stack of one gateway. */
const PEERS = [
  { name: 'base', adapter: 'none', drafts: 1, key: 'sk-bench-default-model-base-0123456789' },
  { name: 'adapter', adapter: 'built-in', drafts: 3, key: 'sk-bench-default-model-adapter-0123456789' },
];
const FULL = { documents: 30, calls: 200, answers: 60, everyday: 50, rounds: 5, perplexityTokens: 2_000 };
const QUICK = { documents: 2, calls: 3, answers: 4, everyday: 4, rounds: 1, perplexityTokens: 200 };
/** The base model does not always find an end. */
const MAX_TOKENS = { document: 900, calls: 250, told: 100, silent: 100, everyday: 250 };
const SPEED = { question: 'Write a long story about a fox who lives by the sea.', tokens: 96 };
const FETCH_MS = 300_000;
const [WAIT_MS, MOST_WAITS] = [1_000, 300];
const PERCENT = 100;
const SEQUENCES = 2;

/**
 * The default model as it comes and with the built-in adapter, through one gateway, on questions that are held out: documents,
 * tool calls (the second half of the leaderboard's sets), answers from a text, everyday prompts (kept for reading), perplexity
 * and tokens a second. `--count=N` takes at most N questions of a set, `--adapter-alone` leaves out the base model, which is slow
 * because it does not find ends, and `--set=NAME` asks the questions of one set, measures nothing else and writes no RESULTS.
 */
export async function run({ quick }) {
  const extent = extentOf(quick ? QUICK : FULL);
  const only = optionOf('set');
  const sets = (await heldOutSets(extent)).filter(
    ({ name, questions }) => questions.length > 0 && (only ?? name) === name,
  );
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    const modelPath = await installModel(join(folder, 'data'));
    const rows = await withGateway(folder, (gateway) => measureAll(gateway, sets, extent));
    if (only === undefined) rows.push(await perplexityRow(modelPath, extent.perplexityTokens));
    console.log(markdownTable(['held out', 'questions', 'base', 'with the adapter'], rows));
    return { isSkipped: only !== undefined };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function extentOf(extent) {
  const given = optionOf('count');
  if (given === undefined) return extent;
  const most = Number(given);
  const atMost = ['documents', 'calls', 'answers', 'everyday'].map((set) => [
    set,
    Math.min(extent[set], most),
  ]);
  return { ...extent, ...Object.fromEntries(atMost) };
}

function optionOf(name) {
  const start = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(start))?.slice(start.length);
}

async function measureAll(gateway, sets, extent) {
  const rows = [];
  for (const { name, questions } of sets) {
    const shares = [];
    for (const peer of PEERS) {
      if (peer.adapter === 'none' && process.argv.includes('--adapter-alone')) {
        shares.push('-');
        continue;
      }
      const answers = await inTurns(questions, (question) => answered(gateway, peer, question));
      await keep(`${name}-${peer.name}`, answers);
      shares.push(name === 'everyday' ? 'to read' : share(judge(answers)));
      if (name === 'documents') console.log(`${peer.name}: ${draftsTold(answers)}`);
    }
    rows.push([name, String(questions.length), ...shares]);
  }
  if (optionOf('set') === undefined) rows.push(await speedRow(gateway, extent.rounds));
  return rows;
}

/** The number of drafts, and how many first ones are right. */
function draftsTold(answers) {
  const first = answers.map(({ drafts: [answer = null], ...facts }) => ({ ...facts, answer }));
  const written = answers.reduce((sum, { drafts }) => sum + drafts.length, 0);
  return `${written} drafts of ${answers.length} documents; ${share(judge(first))} of the first ones are right`;
}

/** Results in the order of the items, of which the engine works on as many at once as it has sequences. */
async function inTurns(items, work) {
  const results = [];
  const waiting = [...items.entries()];
  const turn = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: SEQUENCES }, turn));
  return results;
}

async function answered(gateway, peer, question) {
  const { request, ...facts } = question;
  if (facts.kind === 'document') return await writtenDocument(gateway, peer, facts);
  const { choices } = await ask(gateway, peer, { ...request, max_tokens: MAX_TOKENS[facts.kind], seed: 1 });
  const [{ message }] = choices;
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: given } }) => [
    name,
    argumentsOf(given),
  ]);
  const prompt = request.messages.at(-1).content;
  return { ...facts, prompt, answer: message.content ?? '', calls };
}

/** A document as the gateway has it written before it prints it. */
async function writtenDocument(gateway, peer, facts) {
  const drafts = [];
  const write = async (how) => {
    const { turns, sampling } = instructionConversation(
      { user: facts.order, system: undefined, maxTokens: MAX_TOKENS.document },
      how,
    );
    const { temperature, seed = 1, maxTokens } = sampling;
    const messages = [{ role: 'user', content: turns[0].parts }];
    const asked = { messages, temperature, seed, max_tokens: maxTokens };
    const [{ message, finish_reason: reason }] = (await ask(gateway, peer, asked)).choices;
    if (reason === 'length') throw new Fault('model-output-truncated', 'cut off');
    drafts.push(stripCodeFence(message.content ?? ''));
    return drafts.at(-1);
  };
  const { signal } = new AbortController();
  const order = { instruction: facts.order, most: peer.drafts, write, clock: systemClock, signal };
  const answer = await bestDraft(order).catch((error) => {
    if (error instanceof Fault) return null;
    throw error;
  });
  return { ...facts, prompt: facts.order, answer, drafts, calls: [] };
}

/** An answer that was cut ends within its arguments. */
function argumentsOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function judge(answers) {
  const judged = execFileSync('python3', [judgeScript], { input: JSON.stringify(answers), encoding: 'utf8' });
  return JSON.parse(judged);
}

function share(judged) {
  const right = judged.filter((one) => one.right).length;
  return `${((PERCENT * right) / judged.length).toFixed(1)} %`;
}

/** Tokens written per CPU second of each engine's process; the peers take turns. */
async function speedRow(gateway, rounds) {
  const speeds = PEERS.map(() => []);
  const request = {
    messages: [{ role: 'user', content: SPEED.question }],
    max_tokens: SPEED.tokens,
    seed: 1,
  };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, peer] of PEERS.entries()) {
      const child = childOf(gateway, peer);
      const beforeUs = treeThreadsUs(child);
      const { usage } = await ask(gateway, peer, { ...request, user: String(round) });
      const seconds = (treeThreadsUs(child) - beforeUs) / 1e6;
      // The first round makes contexts and reads the prompt.
      if (round > 0) speeds[index].push(usage.completion_tokens / seconds);
    }
  }
  const ratio = median(speeds[1].map((speed, round) => speed / speeds[0][round]));
  const [base, adapted] = speeds.map((all) => median(all).toFixed(1));
  return [
    'tokens written per CPU second',
    `${rounds} rounds`,
    base,
    `${adapted} (${ratio.toFixed(2)} of the base)`,
  ];
}

async function perplexityRow(modelPath, tokens) {
  const { adaptedWeights } = await import('../dist/text/engines/llama/child/adapted-weights.js');
  const { adapterOf } = await import('../dist/text/engines/llama/built-in-adapter.js');
  const merged = await adaptedWeights(modelPath, adapterOf({ adapter: 'built-in', model: MODEL }));
  const text = await readFile(new URL('../LICENSE', import.meta.url), 'utf8');
  const [base, adapted] = [
    await perplexityOf(modelPath, text, tokens),
    await perplexityOf(merged.modelPath, text, tokens),
  ];
  const worse = PERCENT * (adapted / base - 1);
  const told = `${adapted.toFixed(2)} (${worse > 0 ? '+' : ''}${worse.toFixed(1)} %)`;
  return ['perplexity of the licence', `${tokens} tokens`, base.toFixed(2), told];
}

async function ask({ url }, { key }, request) {
  for (let wait = 0; ; wait += 1) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, ...request }),
    });
    if (response.ok) return response.json();
    // The models are still being loaded.
    if (response.status !== 503 || wait === MOST_WAITS)
      throw new Error(`the gateway answers ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    await setTimeout(WAIT_MS);
  }
}

/** The process of a peer's engine; its setup is on its command line. */
function childOf({ pid, commandOf }, { adapter }) {
  return descendantsOf(pid).find((child) => {
    const command = commandOf(child);
    return (
      command.includes('llama-child') && command.includes('"kind":"built-in"') === (adapter === 'built-in')
    );
  });
}

async function withGateway(folder, use) {
  const engine = ({ adapter }) => ({ kind: 'llama', model: MODEL, adapter, sequences: SEQUENCES });
  const stack = ({ name, key }) => ({
    id: name,
    account: 'bench',
    plan: 'max',
    text: [name],
    system_prompt: '',
    keys: [{ id: name, secret: key }],
  });
  const text = Object.fromEntries(PEERS.map((peer) => [peer.name, engine(peer)]));
  const config = { engines: { text }, stacks: PEERS.map(stack) };
  await writeFile(join(folder, 'stackgate.yaml'), JSON.stringify(config));
  const env = { STACKGATE_PORT: '0', STACKGATE_DATA: join(folder, 'data') };
  const gateway = await startServer(gatewayScript, { cwd: folder, args: ['serve'], env });
  const { readFileSync } = await import('node:fs');
  const commandOf = (child) => readFileSync(`/proc/${child}/cmdline`, 'utf8');
  try {
    return await use({ ...gateway, commandOf });
  } finally {
    await gateway.stop();
  }
}

/** The path of the weights. */
async function installModel(dataDir) {
  const { ModelStore } = await import('../dist/catalogue/model-store.js');
  const store = new ModelStore({ dataDir: cache, environment: process.env });
  const installed = await store.install(MODEL, { signal: AbortSignal.timeout(FETCH_MS) });
  await mkdir(join(dataDir, 'models'), { recursive: true });
  const [{ path }] = installed.files;
  const target = join(dataDir, 'models', MODEL);
  await cp(join(cache, 'models', MODEL), target, { recursive: true, preserveTimestamps: true });
  return join(target, path.split('/').at(-1));
}

async function keep(name, answers) {
  const folder = join(cache, 'bench', 'default-model');
  await mkdir(folder, { recursive: true });
  const told = answers.map(({ prompt, answer, calls }) => ({
    prompt,
    answer,
    ...(calls.length > 0 && { calls }),
  }));
  await writeFile(
    join(folder, `${name.replaceAll(' ', '-')}.json`),
    `${JSON.stringify(told, undefined, 1)}\n`,
  );
}
