// The ledger has every acknowledged request, and none twice.
import pg from 'pg';
import { TOKENS_PER_BUDGET_CHAT, TOKENS_PER_CHAT } from './stacks.mjs';

const CHAT = '/v1/chat/completions';
/** Paths on which an answer costs the tokens that the model tells. */
const TALKS = [CHAT, '/v1/messages', '/v1/responses'];
const PAINTS = ['/v1/images/generations', '/v1/images/edits'];
/** Responses in the background are counted when they are asked for, and when they are made. */
const COUNTED_TWICE = 'later';

const QUERY = `select stack_id as stack, endpoint, sum(requests)::int as requests, sum(images)::int as images,
  sum(prompt_tokens + completion_tokens)::int as tokens from usage_days group by 1, 2`;

/** Reads the ledger, once nothing is under way any more. */
export async function readLedger(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(QUERY);
  await client.end();
  return {
    sum: (stack, number, endpoints) =>
      rows
        .filter((row) => row.stack === stack && (endpoints === undefined || endpoints.includes(row.endpoint)))
        .reduce((sum, row) => sum + row[number], 0),
  };
}

export function checkUsage(world, book, ledger) {
  const { upstream } = world;
  const stacks = [...book.sent.keys()];
  return [
    result('the ledger has every answered request, and none more than were sent', stacks, (stack) =>
      between(`requests of ${stack}`, ledger.sum(stack, 'requests'), [
        book.answered.get(stack) ?? 0,
        stack === COUNTED_TWICE ? Number.POSITIVE_INFINITY : book.sent.get(stack),
      ]),
    ),
    result('the ledger has the tokens of every acknowledged answer', stacks, (stack) => {
      const each = stack === 'budget' ? TOKENS_PER_BUDGET_CHAT : TOKENS_PER_CHAT;
      const least = stack === COUNTED_TWICE ? 0 : each * acknowledged(book, stack, TALKS);
      return between(`tokens of ${stack}`, ledger.sum(stack, 'tokens', TALKS), [
        least,
        Number.POSITIVE_INFINITY,
      ]);
    }),
    result('the ledger has every acknowledged image, and none that was not painted', stacks, (stack) =>
      between(`images of ${stack}`, ledger.sum(stack, 'images'), [
        acknowledged(book, stack, PAINTS),
        PAINTS.reduce(
          (sum, path) => sum + upstream.runsOf(stack, path).filter(({ mayBeWhole }) => mayBeWhole).length,
          0,
        ),
      ]),
    ),
    checkCharges(world, book, ledger),
  ];
}

/** The model's whole answers to requests with an Idempotency-Key are the most that these may be charged for. */
function checkCharges({ upstream }, book, ledger) {
  const runs = book.named
    .filter(({ kind, tag }) => TALKS.includes(kind.make(tag).path))
    .flatMap(({ tag }) => upstream.runs.get(tag) ?? []);
  const most = TOKENS_PER_CHAT * runs.filter(({ mayBeWhole }) => mayBeWhole).length;
  const { number, problem } = between('tokens of once', ledger.sum('once', 'tokens', TALKS), [0, most]);
  return {
    promise: 'requests with an Idempotency-Key are charged as often as the model worked, and not for replays',
    checked: number,
    problems: problem === undefined ? [] : [problem],
  };
}

function acknowledged(book, stack, paths) {
  return paths.reduce((sum, path) => sum + (book.acknowledged.get(`${stack} ${path}`) ?? 0), 0);
}

function result(promise, stacks, check) {
  const found = stacks.map(check);
  return {
    promise,
    checked: found.reduce((sum, { number }) => sum + number, 0),
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}

function between(what, number, [least, most]) {
  if (number >= least && number <= most) return { number };
  return { number, problem: `${what}: ${number} in the ledger, from ${least} to ${most} expected` };
}
