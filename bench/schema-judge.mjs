// A child of the schemas benchmark: makes a grammar of each schema and reports which answers it accepts.

import { loadOwnMatcher } from './own-matcher.mjs';

const [compilerName, matcherName] = process.argv.slice(2);
const llama = await loadLlama();
const compile = await loadCompiler();
const loadGrammar = matcherName === 'llama' ? llamaGrammar : await loadOwnMatcher();

// Grammars of node-llama-cpp end in blank lines.
const end = compilerName === 'node-llama-cpp' ? '\n\n\n\n' : '';

process.on('message', async (task) => process.send(await judge(task)));
process.send({ isReady: true });

async function judge({ schema, tests }) {
  const result = { refused: undefined, cpuMs: 0, answers: tests.map(() => false) };
  try {
    const compiled = await compile(schema);
    Object.assign(result, compiled, { grammar: undefined, rules: compiled.grammar.split('\n').length });
    const parsing = process.cpuUsage();
    const matches = await loadGrammar(compiled.grammar);
    result.parseMs = spentMs(parsing);
    result.slowestMs = 0;
    result.answers = tests.map((data) => {
      const before = process.cpuUsage();
      const isAccepted = matches(spaced(data) + end);
      result.slowestMs = Math.max(result.slowestMs, spentMs(before));
      return isAccepted;
    });
  } catch (error) {
    result.refused = error.reason ?? 'failed';
  }
  return result;
}

async function loadLlama() {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp');
  return getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: LlamaLogLevel.disabled });
}

/** llama.cpp's matcher without a model: code points instead of tokens. */
async function llamaGrammar(grammar) {
  const loaded = await llama.createGrammar({ grammar });
  return (text) => loaded._testText(text);
}

async function loadCompiler() {
  if (compilerName === 'node-llama-cpp') {
    return async (schema) => ({ grammar: (await llama.createGrammarForJsonSchema(schema)).grammar });
  }
  const { compileSchema, PatternLibrary, SchemaValidator } = await import('@stackgate/json-schema-grammar');
  const unnamedKeys = compilerName === 'stackgate' ? 'where-described' : 'where-allowed';
  const validator = new SchemaValidator();
  // Each run has its own library, so that patterns are not cached; its code is warmer all the same.
  const libraries = [new PatternLibrary(), new PatternLibrary(), new PatternLibrary()];
  return (schema) => {
    const runs = libraries.map((patterns) => {
      const before = process.cpuUsage();
      const compiled = attempt(() => compileSchema(schema, { validator, patterns, unnamedKeys }));
      return { compiled, cpuMs: spentMs(before) };
    });
    const { value, error } = runs[0].compiled;
    if (error) throw error;
    const best = Math.min(...runs.map(({ cpuMs }) => cpuMs));
    return {
      grammar: value.grammar,
      left: value.leftToValidation.length,
      firstMs: runs[0].cpuMs,
      cpuMs: best,
    };
  };
}

function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** Like most models write JSON: one space after commas and colons. */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

function spentMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
