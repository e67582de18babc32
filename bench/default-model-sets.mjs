// Held-out questions for the default model. What was written by hand is in models/assistant/evaluation, of which the first entries are for development.
import { readFile } from 'node:fs/promises';
import { openCheckout } from './real-document-checkouts.mjs';

const folder = new URL('../models/assistant/evaluation/', import.meta.url);
const FOR_DEVELOPMENT = { documents: 12, answers: 3 };
const LEADERBOARD = { repository: 'ShishirPatil/gorilla', variable: 'STACKGATE_BFCL' };
const LEADERBOARD_FOLDER = 'berkeley-function-call-leaderboard/bfcl_eval/data';
/** The types of the leaderboard that JSON Schema calls otherwise. */
const TYPES = { dict: 'object', float: 'number', tuple: 'array', any: undefined };

/** All sets, each with at most so many questions, spread evenly. */
export async function heldOutSets({ documents, calls, answers, everyday }) {
  return [
    { name: 'documents', questions: spread(await documentQuestions(), documents) },
    ...['simple', 'multiple'].map((name) => ({
      name: `BFCL ${name}`,
      questions: spread(callQuestions(name === 'simple' ? 'simple_python' : name), calls),
    })),
    ...(await answerSets()).map(({ name, questions }) => ({ name, questions: spread(questions, answers) })),
    { name: 'everyday', questions: spread(await everydayQuestions(), everyday) },
  ];
}

function spread(questions, count) {
  if (questions.length <= count) return questions;
  return Array.from(
    { length: count },
    (_, index) => questions[Math.floor((index * questions.length) / count)],
  );
}

/** Instructions and what their documents must hold. */
async function documentQuestions() {
  const written = await readJson('documents.json');
  return written
    .slice(FOR_DEVELOPMENT.documents)
    .map(({ order, facts }) => ({ kind: 'document', order, facts }));
}

/** Questions on a text, quoted as the gateway quotes knowledge. */
async function answerSets() {
  const { writeExcerpt } = await import('../dist/knowledge/excerpt/write-excerpt.js');
  const told = [];
  const silent = [];
  for (const entry of (await readJson('answers.json')).slice(FOR_DEVELOPMENT.answers)) {
    const chunk = {
      documentName: entry.name,
      documentId: entry.name,
      headings: [],
      position: 0,
      text: entry.text,
    };
    const system = { role: 'system', content: writeExcerpt([chunk]).text };
    const request = (content) => ({ messages: [system, { role: 'user', content }] });
    for (const [question, accepted] of entry.asked)
      told.push({ kind: 'told', accepted, request: request(question) });
    for (const question of entry.silent) silent.push({ kind: 'silent', request: request(question) });
  }
  return [
    { name: 'answers that the text has', questions: told },
    { name: 'questions on which the text is silent', questions: silent },
  ];
}

/** The second half of a set of the leaderboard. */
function callQuestions(set) {
  const checkout = openCheckout(LEADERBOARD);
  if (checkout === undefined) return [];
  const lines = (path) =>
    checkout
      .read(`${LEADERBOARD_FOLDER}/${path}`)
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  const all = lines(`BFCL_v4_${set}.json`);
  const truths = new Map(
    lines(`possible_answer/BFCL_v4_${set}.json`).map((entry) => [entry.id, entry.ground_truth]),
  );
  return all.slice(Math.floor(all.length / 2)).map(({ id, question, function: functions }) => ({
    kind: 'calls',
    functions,
    accepted: truths.get(id),
    request: { messages: question[0], tools: functions.map(declaration) },
  }));
}

function declaration({ name, description, parameters }) {
  return {
    type: 'function',
    function: { name: name.replaceAll('.', '_'), description, parameters: jsonSchema(parameters) },
  };
}

function jsonSchema(schema) {
  if (Array.isArray(schema)) return schema.map(jsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const changed = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'type' && typeof value === 'string') {
      const type = value in TYPES ? TYPES[value] : value;
      if (type !== undefined) changed.type = type;
    } else if (key === 'properties') {
      changed.properties = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, jsonSchema(inner)]),
      );
    } else if (key === 'items' || key === 'additionalProperties') changed[key] = jsonSchema(value);
    else if (key !== 'optional') changed[key] = value;
  }
  return changed;
}

async function everydayQuestions() {
  const prompts = await readJson('everyday.json');
  return prompts.map((content) => ({ kind: 'everyday', request: { messages: [{ role: 'user', content }] } }));
}

async function readJson(name) {
  return JSON.parse(await readFile(new URL(name, folder), 'utf8'));
}
