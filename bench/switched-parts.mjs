// Loaded into a measured gateway before it starts: switches parts of it on and off while it runs, so that one process can be
// compared with itself. Written into the file SWITCHES_FILE: a JSON list of the parts that are off; read at SIGUSR2. Before that
// it does what would be done up to two seconds later for the requests so far: sends their spans and writes their usage.
import { readFileSync, rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { OtlpExporter } from '../dist/telemetry/otlp-exporter.js';
import { Tracer } from '../dist/telemetry/tracer.js';
import { UsageFlusher } from '../dist/usage/usage-flusher.js';
import { UsageJournal } from '../dist/usage/usage-journal.js';

const path = process.env.SWITCHES_FILE;
let isJournalOff = false;
let areTracesOff = false;
const flushes = [];

const { add, addRow } = UsageJournal.prototype;
UsageJournal.prototype.add = function (row, request, rows) {
  if (!isJournalOff) add.call(this, row, request, rows);
};
UsageJournal.prototype.addRow = function (row) {
  if (!isJournalOff) addRow.call(this, row);
};

const { open } = Tracer.prototype;
Tracer.prototype.open = function (traceparent, name) {
  return areTracesOff ? undefined : open.call(this, traceparent, name);
};

const { start: startExporter, send } = OtlpExporter.prototype;
OtlpExporter.prototype.start = function () {
  if (!flushes.some(({ whose }) => whose === this)) flushes.push({ whose: this, flush: () => this.send() });
  startExporter.call(this);
};
OtlpExporter.prototype.send = async function () {
  if (!areTracesOff) await send.call(this);
};

const { start: startFlusher } = UsageFlusher.prototype;
UsageFlusher.prototype.start = function () {
  if (!flushes.some(({ whose }) => whose === this)) flushes.push({ whose: this, flush: () => this.flush() });
  startFlusher.call(this);
};

if (isMainThread && path !== undefined) {
  process.on('SIGUSR2', async () => {
    for (const { flush } of flushes) await flush();
    const off = JSON.parse(readFileSync(path, 'utf8'));
    isJournalOff = off.includes('journal');
    areTracesOff = off.includes('traces');
    // Tells that it is done.
    rmSync(path);
  });
}
