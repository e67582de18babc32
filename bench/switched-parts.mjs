// Loaded into a measured gateway before it starts: switches parts of it on and off while it runs, so that two processes can change
// places. Written into the file SWITCHES_FILE: a JSON list of the parts that are off; read at SIGUSR2.
import { readFileSync, rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Tracer } from '../dist/telemetry/tracer.js';
import { UsageJournal } from '../dist/usage/usage-journal.js';

const path = process.env.SWITCHES_FILE;
let isJournalOff = false;
let areTracesOff = false;

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

if (isMainThread && path !== undefined) {
  process.on('SIGUSR2', () => {
    const off = JSON.parse(readFileSync(path, 'utf8'));
    isJournalOff = off.includes('journal');
    areTracesOff = off.includes('traces');
    // Tells that it is done.
    rmSync(path);
  });
}
