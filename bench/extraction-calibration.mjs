// `node bench/extraction-calibration.mjs [FILE]` fits the constants of src/documents/grounded/check/calibrated.ts on the development documents of
// bench/extraction, and says what log loss documents left out of the fit, and those held out, have with them and with the constants of now. FILE gets the points of the
// plot: said and right, for models/reader/evaluation/reliability_plot.py.
import { writeFile } from 'node:fs/promises';
import { judge, readDocuments } from './extraction-documents.mjs';
import { extractionJob } from './extraction-job.mjs';
import { plainReader } from './extraction-readers.mjs';
import { DEVELOPMENT, HELD_OUT } from './extraction-sets.mjs';

const FOLDS = 5;
/** Keeps constants that few leaves speak about near those of now. */
const TOWARDS_NOW = 0.5;
const [STEPS, LEAST] = [60, 0.001];
const SHORTEST_STEP = 0.001;
const never = new AbortController().signal;
const stages = (path) => import(`../dist/documents/grounded/${path}.js`);
const [
  { planSchema },
  { sourceFiles },
  { readEvidence },
  { propose },
  { decide },
  calibrated,
  { readFileHints },
] = await Promise.all([
  stages('plan/plan-schema'),
  stages('read/source-text'),
  stages('read/evidence'),
  stages('propose/propose'),
  stages('decide/decide'),
  stages('check/calibrated'),
  import('../dist/documents/hints/read-file-hints.js'),
]);
const { fieldsOf, listsOf } = await stages('plan/schema-plan');
const { EmbeddedFieldFinder } = await import('../dist/reading/fields/embedded-field-finder.js');

function logOdds(share) {
  return Math.log(share / (1 - share));
}

function logistic(value) {
  return 1 / (1 + Math.exp(-value));
}

const kept = (probability) => Math.min(1 - LEAST, Math.max(LEAST, probability));

const { probabilityOfValue, probabilityOfCell } = calibrated;
const byBoth = (value) => logOdds(probabilityOfValue({ probability: 0.5, label: 0, lead: 0, ...value }));
const byRules = (lead) => logOdds(probabilityOfValue({ label: 0, lead }));
const byCell = (probability, isNamed) => logOdds(probabilityOfCell(probability, { isNamed }));
/** A probability with log odds of 1. */
const ONE = logistic(1);

/** The constants of now by model, in the order of the features of a leaf: the first is that of all leaves. */
const MODELS = {
  'value, rules and network': {
    bias: byBoth({}),
    network: byBoth({ probability: ONE }) - byBoth({}),
    label: byBoth({ label: 1 }) - byBoth({}),
    lead: byBoth({ lead: 1 }) - byBoth({}),
  },
  'value, rules alone': { bias: byRules(0), lead: byRules(1) - byRules(0) },
  'cell, network sees it': {
    bias: byCell(0.5, false),
    network: byCell(ONE, false) - byCell(0.5, false),
    named: byCell(0.5, true) - byCell(0.5, false),
  },
  'cell, only rules see it': { bias: byCell(undefined, false) },
};

const finder = new EmbeddedFieldFinder();
const leaves = await leavesOfParts(DEVELOPMENT);
const unseen = await leavesOfParts(HELD_OUT);
await finder.stop(never);
for (const [model, constantsOfNow] of Object.entries(MODELS)) {
  const [names, now] = [Object.keys(constantsOfNow), Object.values(constantsOfNow)];
  const own = leaves.filter((leaf) => leaf.model === model);
  for (const leaf of own) leaf.before = logistic(dot(now, leaf.features));
  crossValidate(own, now);
  const after = fitted(own, now);
  const ownUnseen = unseen.filter((one) => one.model === model);
  for (const leaf of ownUnseen) {
    leaf.before = logistic(dot(now, leaf.features));
    leaf.after = logistic(dot(after, leaf.features));
  }
  const constants = names.map((name, index) => `${name} ${after[index].toFixed(2)}`).join(', ');
  console.log(
    `${model}: ${own.length} leaves; log loss ${loss(own, 'before')} now, ${loss(own, 'after')} refitted; ${constants}; right: ${shareRight(own)}, held out ${shareRight(ownUnseen)} of ${ownUnseen.length}`,
  );
}
for (const way of ['rules and network', 'rules alone']) {
  const own = leaves.filter((leaf) => leaf.way === way);
  const others = unseen.filter((leaf) => leaf.way === way);
  console.log(
    `${way}, held out: ${others.length} leaves; log loss ${loss(others, 'before')} now, ${loss(others, 'after')} refitted`,
  );
  for (const said of ['before', 'after']) reportClasses(`${way}, held out, ${said}`, others, said);
  console.log(
    `${way}: ${own.length} leaves; log loss ${loss(own, 'before')} now, ${loss(own, 'after')} refitted`,
  );
  for (const said of ['before', 'after']) reportClasses(`${way}, ${said}`, own, said);
}
if (process.argv[2] !== undefined)
  await writeFile(
    process.argv[2],
    JSON.stringify(unseen.map(({ way, before, isRight }) => ({ way, said: before, isRight }))),
  );
process.exit();

async function leavesOfParts(parts) {
  const found = [];
  for (const part of parts)
    for (const document of await readDocuments(part))
      for (const hasNetwork of [true, false]) found.push(...(await leavesOf(document, hasNetwork)));
  return found;
}

/** The found leaves of a document: features, and whether they are right. */
async function leavesOf({ name, schema, expected, ...document }, hasNetwork) {
  const [pages] = await plainReader.read([{ name, ...document }]);
  const job = extractionJob({ name, pages, schema, maxTokens: 1_000 });
  const plan = planSchema(schema);
  const files = sourceFiles(job.documents);
  const read = { files, hints: readFileHints(job), evidence: readEvidence(files) };
  const network = hasNetwork ? { finder, stackId: 'bench', leisure: never } : undefined;
  const proposals = await propose(plan, read, { network, signal: never });
  const { values, lists } = await decide(proposals, read);
  const way = hasNetwork ? 'rules and network' : 'rules alone';
  const found = fieldsOf(plan).flatMap((field) => {
    const candidate = values.get(field);
    if (candidate === undefined) return [];
    const model = `value, ${candidate.probability === undefined ? 'rules alone' : 'rules and network'}`;
    return [
      {
        name,
        way,
        model,
        features: valueFeatures(candidate),
        isRight: isRight(expected, field.path, candidate.value),
      },
    ];
  });
  const cells = listsOf(plan).flatMap(({ list, path }) => {
    const chosen = lists.get(list);
    return (chosen?.items ?? []).flatMap(({ value, leaves: own }, index) =>
      Array.from(own, ([column, { probability }]) => ({
        name,
        way,
        model: probability === undefined ? 'cell, only rules see it' : 'cell, network sees it',
        features: probability === undefined ? [1] : [1, logOdds(kept(probability)), chosen.isNamed ? 1 : 0],
        isRight: isRight(
          expected,
          [...path, index, ...(column === '' ? [] : [column])],
          column === '' ? value : value[column],
        ),
      })),
    );
  });
  return [...found, ...cells];
}

function valueFeatures({ probability, label, lead = 0 }) {
  const ahead = Math.min(5, Math.max(0, lead));
  return probability === undefined
    ? [1, ahead]
    : [1, logOdds(kept(probability)), Math.min(1.2, label), ahead];
}

function isRight(expected, path, value) {
  const wanted = path.reduce((one, step) => one?.[step], expected);
  return wanted !== undefined && judge(wanted, value).every((leaf) => leaf.isRight);
}

/** Says of each leaf what a fit without its document says. */
function crossValidate(own, now) {
  const names = [...new Set(own.map(({ name }) => name))];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const out = new Set(names.filter((_, index) => index % FOLDS === fold));
    const constants = fitted(
      own.filter(({ name }) => !out.has(name)),
      now,
    );
    for (const leaf of own.filter(({ name }) => out.has(name)))
      leaf.after = logistic(dot(constants, leaf.features));
  }
}

/** Logistic regression by Newton's method; a weak prior is at the constants of now. */
function fitted(own, now) {
  let constants = [...now];
  for (let step = 0; step < STEPS; step += 1) {
    const size = now.length;
    const slope = constants.map((value, index) => TOWARDS_NOW * (now[index] - value));
    const curve = Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, column) => (row === column ? TOWARDS_NOW : 0)),
    );
    for (const { features, isRight: right } of own) {
      const said = logistic(dot(constants, features));
      for (let row = 0; row < size; row += 1) {
        slope[row] += features[row] * ((right ? 1 : 0) - said);
        for (let column = 0; column < size; column += 1)
          curve[row][column] += said * (1 - said) * features[row] * features[column];
      }
    }
    constants = nearer(constants, solved(curve, slope), (some) => penalty(own, now, some));
  }
  return constants;
}

/** A step of Newton's method, halved until it does not make the fit worse: whole steps may overshoot more and more. */
function nearer(constants, change, costOf) {
  const cost = costOf(constants);
  for (let share = 1; share > SHORTEST_STEP; share /= 2) {
    const next = constants.map((value, index) => value + share * change[index]);
    if (costOf(next) <= cost) return next;
  }
  return constants;
}

function penalty(own, now, constants) {
  const distance = constants.reduce((sum, value, index) => sum + (now[index] - value) ** 2, 0);
  return own.reduce(
    (total, { features, isRight: right }) => {
      const margin = dot(constants, features) * (right ? 1 : -1);
      return total + Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(0, -margin);
    },
    (TOWARDS_NOW / 2) * distance,
  );
}

/** The solution of linear equations, by elimination. */
function solved(matrix, right) {
  const rows = matrix.map((row, index) => [...row, right[index]]);
  for (const [index, pivot] of rows.entries())
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[index] / pivot[index];
      for (const column of pivot.keys()) row[column] -= factor * pivot[column];
    }
  return rows.map((row, index) => row.at(-1) / row[index]);
}

function dot(constants, features) {
  return constants.reduce((sum, value, index) => sum + value * features[index], 0);
}

function loss(own, said) {
  const sum = own.reduce(
    (total, leaf) => total - Math.log(kept(leaf.isRight ? leaf[said] : 1 - leaf[said])),
    0,
  );
  return (sum / Math.max(1, own.length)).toFixed(3);
}

function shareRight(some) {
  return (some.filter((leaf) => leaf.isRight).length / Math.max(1, some.length)).toFixed(2);
}

function reportClasses(title, own, said) {
  const edges = [0, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 1.1];
  for (const [index, least] of edges.slice(0, -1).entries()) {
    const some = own.filter((leaf) => leaf[said] >= least && leaf[said] < edges[index + 1]);
    if (some.length === 0) continue;
    const mean = some.reduce((sum, leaf) => sum + leaf[said], 0) / some.length;
    const right = some.filter((leaf) => leaf.isRight).length / some.length;
    console.log(
      `  ${title}, ${least} and more: ${some.length} leaves, mean ${mean.toFixed(2)}, right ${right.toFixed(2)}`,
    );
  }
}
