// `npm run fuzz-answers -- --count 100000`: HTTP/1 answers, many of them spoiled, read by the gateway's parser and by Node's
// (llhttp). Verdict, status, headers, body and keep-alive must agree, except for a closed list of what the gateway rejects on
// purpose. `--seed N` repeats a choice, `--record` writes the table to RESULTS.md.
import { differenceOf, readByNode, readByOwn, UNEXPLAINED } from '../../testing/fuzz/answer-readers.mjs';
import { spoiledPieces } from '../../testing/fuzz/spoiled-answer.mjs';
import { captured, recordResults } from '../record-results.mjs';
import { seededRandom } from '../soak/seeded-random.mjs';
import { markdownTable } from '../statistics.mjs';

const SHOWN_PROBLEMS = 20;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};
const { ResponseParser } = await import('../../dist/upstream/response-parser.js');
const count = Number(option('count', 100_000));
const seed = Number(option('seed', 1));
const { outcomes, problems, seconds } = await compareAll();
const { text } = await captured(report);
if (process.argv.includes('--record')) await recordResults('fuzz-answers', { text, plots: [] });
process.exitCode = problems.length === 0 ? 0 : 1;

async function compareAll() {
  const random = seededRandom(seed);
  const outcomes = new Map();
  const problems = [];
  const startedMs = performance.now();
  for (let index = 0; index < count; index++) {
    const pieces = spoiledPieces(random);
    const byNode = await readByNode(pieces);
    const byOwn = readByOwn(ResponseParser, pieces);
    const bytes = Buffer.concat(pieces);
    const same = byNode === undefined ? 'refused by both' : 'read alike by both';
    const outcome = differenceOf(bytes, { byNode, byOwn }) ?? same;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome === UNEXPLAINED) {
      const [answer, node, own] = [bytes.toString('latin1'), byNode, byOwn].map((value) =>
        JSON.stringify(value),
      );
      problems.push(`${index}: ${answer}\n  Node: ${node}\n  own: ${own}`);
    }
  }
  return { outcomes, problems, seconds: (performance.now() - startedMs) / 1000 };
}

function report() {
  console.log(
    `${count} answers, seed ${seed}, llhttp ${process.versions.llhttp}, ${seconds.toFixed(0)} s.\n`,
  );
  const rows = [...outcomes].sort(([, one], [, other]) => other - one);
  console.log(markdownTable(['outcome', 'answers'], rows));
  console.log(
    problems.length === 0
      ? '\nNo problems: every difference is one of those that are meant.'
      : `\n${problems.length} problems:\n${problems.slice(0, SHOWN_PROBLEMS).join('\n')}`,
  );
}
