// Installs one model of a catalogue given as JSON, in its own process; prints progress lines, then the result.
import { ModelStore } from '../../dist/catalogue/model-store.js';

const [dataDir, catalogue] = process.argv.slice(2);
const entries = JSON.parse(catalogue);
const store = new ModelStore({
  dataDir,
  environment: {},
  catalogue: entries,
  times: { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 20 },
});
const model = await store.install(entries[0].name, {
  signal: new AbortController().signal,
  onProgress: (progress) => process.stdout.write(`${JSON.stringify({ progress })}\n`),
});
process.stdout.write(`${JSON.stringify({ model })}\n`);
