// Loaded into a measured gateway before it starts: switches a part of it on and off every few requests, so that it is compared with
// itself, and notes its CPU time. At SIGUSR2 it writes into REPORT_FILE what it found since the last time, and begins with what
// PLAN_FILE asks for: { part, others, count, first }: the part to switch, parts that are off all the time, the number of requests
// between two switches, all of which must be answered before the next comes, and the state to begin with.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { RequestJournal } from '../dist/http/request-journal.js';
import { OtlpExporter } from '../dist/telemetry/otlp-exporter.js';
import { Tracer } from '../dist/telemetry/tracer.js';
import { UsageFlusher } from '../dist/usage/usage-flusher.js';
import { UsageJournal } from '../dist/usage/usage-journal.js';

const { PLAN_FILE, REPORT_FILE } = process.env;
/** Turns without the part that are not counted: after a pause the processor has other things in its caches. */
const LEAD_IN = 2;
/** The first state and the other one, in pairs that begin with either. */
const ORDER = [0, 1, 1, 0];
const IDLE = { part: undefined, others: [], count: Number.POSITIVE_INFINITY, first: 0 };

let plan = IDLE;
let isOn = { journal: true, traces: true };
/** Without the part and with it; those in the same place were next to each other. */
let spentUs = [[], []];
let requests = 0;
let sinceUs = 0;
/** The work that comes later for the requests of a part, in the bench after their measurement. */
const laterUs = { journal: 0, traces: 0 };
let exporter;
let flusher;

const { open: openRequest } = RequestJournal.prototype;
RequestJournal.prototype.open = function (label, family) {
  if (requests++ % plan.count === 0) turn();
  return openRequest.call(this, label, family);
};

const { add, rotate, remove } = UsageJournal.prototype;
UsageJournal.prototype.add = function (row, request, rows) {
  if (isOn.journal) add.call(this, row, request, rows);
};
UsageJournal.prototype.rotate = function (sequence, taken) {
  timed('journal', () => rotate.call(this, sequence, taken));
};
UsageJournal.prototype.remove = function (sequence) {
  timed('journal', () => remove.call(this, sequence));
};

const { open: openTrace } = Tracer.prototype;
Tracer.prototype.open = function (traceparent, name) {
  return isOn.traces ? openTrace.call(this, traceparent, name) : undefined;
};

// Both would begin in the middle of a measurement; `report` has them do their work instead.
OtlpExporter.prototype.start = function () {
  exporter = this;
};
UsageFlusher.prototype.start = function () {
  flusher = this;
};

if (isMainThread && PLAN_FILE !== undefined) process.on('SIGUSR2', () => void report());

/** Ends the time of one state, and begins the next one's. */
function turn() {
  const turns = Math.floor((requests - 1) / plan.count);
  endTurn(turns - 1);
  isOn = { journal: isRunning('journal', stateOf(turns)), traces: isRunning('traces', stateOf(turns)) };
  sinceUs = cpuUs();
}

function endTurn(turns) {
  // A state pays for the garbage that it made itself, in its own time.
  globalThis.gc({ type: 'minor' });
  if (turns >= LEAD_IN) spentUs[stateOf(turns)].push(cpuUs() - sinceUs);
}

function stateOf(turns) {
  if (turns < LEAD_IN) return 0;
  return plan.first === 0
    ? ORDER[(turns - LEAD_IN) % ORDER.length]
    : 1 - ORDER[(turns - LEAD_IN) % ORDER.length];
}

function isRunning(part, state) {
  return !plan.others.includes(part) && (state === 1 || plan.part !== part);
}

async function report() {
  if (requests > 0) endTurn(Math.floor((requests - 1) / plan.count));
  await flusher?.flush();
  const beforeUs = cpuUs();
  await exporter?.send();
  laterUs.traces += cpuUs() - beforeUs;
  writeFileSync(`${REPORT_FILE}.new`, JSON.stringify({ spentUs, laterUs }));
  spentUs = [[], []];
  laterUs.journal = 0;
  laterUs.traces = 0;
  plan = { ...IDLE, ...JSON.parse(readFileSync(PLAN_FILE, 'utf8')) };
  requests = 0;
  renameSync(`${REPORT_FILE}.new`, REPORT_FILE);
}

function timed(part, work) {
  const beforeUs = cpuUs();
  work();
  laterUs[part] += cpuUs() - beforeUs;
}

/** Of all threads. */
function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
