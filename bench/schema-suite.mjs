import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const DRAFTS = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** The official test suite, a line per keyword: schemas compiled, valid values accepted, invalid ones rejected. */
export async function reportSuite(folder, jury) {
  const lines = new Map();
  for (const [draft, dialect] of Object.entries(DRAFTS)) {
    const files = (await readdir(join(folder, draft))).filter((name) => name.endsWith('.json'));
    for (const file of files.sort()) {
      const groups = JSON.parse(await readFile(join(folder, draft, file), 'utf8'));
      const keyword = file.replace('.json', '');
      const cells = lines.get(keyword) ?? {};
      cells[draft] = await judgeGroups(groups, dialect, jury);
      lines.set(keyword, cells);
    }
  }
  jury.close();
  const head = ['keyword', ...Object.keys(DRAFTS)];
  console.log(`\n| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |`);
  for (const keyword of [...lines.keys()].sort()) {
    console.log(
      `| ${[keyword, ...Object.keys(DRAFTS).map((draft) => cell(lines.get(keyword)[draft]))].join(' | ')} |`,
    );
  }
  const totals = Object.keys(DRAFTS).map((draft) =>
    sum([...lines.values()].flatMap((cells) => cells[draft] ?? [])),
  );
  console.log(`| all | ${totals.map(cell).join(' | ')} |`);
}

async function judgeGroups(groups, dialect, jury) {
  const counts = [];
  for (const { schema, tests } of groups) {
    const told = typeof schema === 'object' ? { $schema: dialect, ...schema } : schema;
    const { refused, left, answers } = await jury.judge(
      told,
      tests.map(({ data }) => data),
    );
    // Refusing an unsatisfiable schema is the right answer.
    const isRight = refused === 'unsatisfiable' && tests.every(({ valid }) => !valid);
    const accepted = (isValid) =>
      tests.filter(({ valid }, index) => valid === isValid && answers[index]).length;
    const valid = tests.filter((test) => test.valid).length;
    counts.push({
      schemas: 1,
      compiled: refused && !isRight ? 0 : 1,
      valid,
      accepted: accepted(true),
      invalid: tests.length - valid,
      refused: tests.length - valid - accepted(false),
      left: left ? 1 : 0,
      missed: left ? 0 : accepted(false),
    });
  }
  return sum(counts);
}

function sum(counts) {
  const total = {};
  for (const count of counts) {
    for (const [key, value] of Object.entries(count)) total[key] = (total[key] ?? 0) + value;
  }
  return total;
}

function cell(count) {
  if (!count) return '';
  const { schemas, compiled, valid, accepted, invalid, refused, left, missed } = count;
  const note = [left ? `, ${left} left` : '', missed ? `, **${missed} missed**` : ''].join('');
  return `${compiled}/${schemas}, ${accepted}/${valid}, ${refused}/${invalid}${note}`;
}
