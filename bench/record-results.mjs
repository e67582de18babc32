import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { barPlot } from './bar-plot.mjs';
import { linePlot } from './line-plot.mjs';

const resultsFile = new URL('./RESULTS.md', import.meta.url);
const plotFolder = new URL('../docs/images/', import.meta.url);

/** The machine, without which figures are meaningless. */
export function machineLine() {
  const [cpu] = cpus();
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
}

/** Runs a benchmark; shows and returns its output. One that lacks a requirement says so and returns `isSkipped`. */
export async function captured(run) {
  const lines = [];
  const print = console.log;
  console.log = (...values) => {
    lines.push(values.join(' '));
    print(...values);
  };
  try {
    const result = await run();
    return { text: lines.join('\n'), plots: result?.plots ?? [], isSkipped: result?.isSkipped === true };
  } finally {
    console.log = print;
  }
}

/**
 * Puts a benchmark's output between its marks in RESULTS.md, `<!-- measured: NAME -->` and `<!-- /measured -->`. Text outside of
 * them is written by hand and stays. A benchmark without marks gets a section at the end.
 */
export async function recordResults(name, { text, plots }) {
  const before = await readFile(resultsFile, 'utf8');
  const shown = plots.map(({ file, title }) => `\n\n![${title}](../docs/images/${file})`).join('');
  const block = `<!-- measured: ${name} -->\n\n_${stamp()}_\n\n${text.trim()}${shown}\n\n<!-- /measured -->`;
  const marks = new RegExp(`<!-- measured: ${name} -->[^]*?<!-- /measured -->`, 'u');
  const after = marks.test(before)
    ? before.replace(marks, () => block)
    : `${before.trimEnd()}\n\n## ${name}: \`npm run bench -- ${name}\`\n\n${block}\n`;
  await writeFile(resultsFile, after);
  for (const { file, kind = 'bars', ...plot } of plots)
    await writeFile(new URL(file, plotFolder), kind === 'lines' ? linePlot(plot) : barPlot(plot));
}

function stamp() {
  const [load = 0] = loadavg();
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${machineLine()}, load ${load.toFixed(1)} at the end`;
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
