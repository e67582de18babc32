import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conversationOf, openDefaultModel } from './llama-engine.mjs';

const resultFolder = fileURLToPath(new URL('../.cache/bench/', import.meta.url));
const MAX_TOKENS = 8_000;
/** Prompts with short answers, for the quick mode. */
const QUICK_PROMPTS = 4;
/** An answer whose last words repeat this often is a loop. */
const LOOP_REPEATS = 4;
const LOOP_WORDS = 4;

const PROMPTS = [
  'What is the capital of France?',
  'Write one sentence about the sea.',
  'Name three fruits.',
  'Explain photosynthesis to a child.',
  'Write a short poem about winter.',
  'What is 2 + 2?',
  'Translate "good morning" into French.',
  'Say hello in French.',
  'Give me a list of ten animals.',
  'Why is the sky blue?',
  'Write an e-mail that asks for a day off.',
  'What does HTTP stand for?',
  'Tell me a joke.',
  'Summarise: The meeting was moved from Monday to Wednesday because the room was taken.',
  'How do I boil an egg?',
  'Write a haiku about rain.',
  'What is a database?',
  'Hello!',
  'List the steps to plant a tree.',
  'Who wrote Hamlet?',
];

/**
 * Twenty short prompts (four in quick mode) with the recommended sampling: every answer must end and be non-empty; all are kept
 * for reading.
 */
export async function run({ quick }) {
  const model = await openDefaultModel();
  try {
    if (model.engine === undefined) {
      console.log(`default-model: skipped, ${model.reason}`);
      return { isSkipped: true };
    }
    return await judge(model, quick ? PROMPTS.slice(0, QUICK_PROMPTS) : PROMPTS);
  } finally {
    await model.close();
  }
}

async function judge(model, prompts) {
  const answers = [];
  for (const prompt of prompts) {
    const { text, usage, reason } = await model.ask(conversationOf(prompt, { maxTokens: MAX_TOKENS }));
    answers.push({ prompt, text, tokens: usage.completionTokens, reason });
  }
  const empty = answers.filter(({ text }) => text.trim() === '').length;
  const endless = answers.filter(({ reason }) => reason === 'length').length;
  const loops = answers.filter(({ text }) => isLoop(text)).length;
  const longest = Math.max(...answers.map(({ tokens }) => tokens));
  const path = await keep(answers);
  console.log(
    `answers ${answers.length}, empty ${empty}, cut off ${endless}, loops ${loops}, longest ${longest} tokens`,
  );
  console.log(`to read: ${path}`);
  if (empty + endless + loops > 0) process.exitCode = 1;
}

function isLoop(text) {
  const words = text.split(/\s+/);
  const end = words.slice(-LOOP_WORDS).join(' ');
  return words.length > LOOP_WORDS && words.join(' ').split(end).length - 1 >= LOOP_REPEATS;
}

async function keep(answers) {
  await mkdir(resultFolder, { recursive: true });
  const path = join(resultFolder, 'default-model.md');
  const lines = answers.map(({ prompt, text, tokens }) => `## ${prompt}\n\n${text}\n\n(${tokens} tokens)\n`);
  await writeFile(path, lines.join('\n'));
  return path;
}
