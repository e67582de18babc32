// What goes wrong behind the gateway: model servers that fail in every known way, and engines that are killed.
import { readFileSync } from 'node:fs';
import { BREAKAGES, QUIRKS } from '../../testing/fake-upstream/failure-modes.mjs';
import { descendantsOf } from '../process-tree.mjs';

// Each is much slower than the rest of the traffic, and does not break anything.
const TOO_SLOW = new Set(['huge-event']);
const FAILURES = [...BREAKAGES, ...QUIRKS].filter((mode) => !TOO_SLOW.has(mode));

/** Makes a share of the upstream's answers fail. */
export function disturbUpstream(upstream, { random, share }) {
  upstream.script(({ method }) => {
    if (method !== 'POST') return undefined;
    if (random() >= share) return { text: answerText(random) };
    const mode = FAILURES[Math.floor(random() * FAILURES.length)];
    return { fail: mode === 'status' ? { mode, status: [429, 500, 503][Math.floor(random() * 3)] } : mode };
  });
}

// Half of the answers are JSON, which extraction accepts.
function answerText(random) {
  return random() < 0.5
    ? '{"total": "12.00"}'
    : '<p>Hello from the model.</p>'.repeat(1 + Math.floor(random() * 20));
}

/** Kills one of the processes that the gateway started; returns what it was, undefined where there is none. */
export function killAnEngine(gatewayPid, random) {
  const children = descendantsOf(gatewayPid);
  const victim = children[Math.floor(random() * children.length)];
  if (victim === undefined) return undefined;
  try {
    const command = readFileSync(`/proc/${victim}/cmdline`, 'utf8').split('\0').slice(0, 3).join(' ');
    process.kill(victim, 'SIGKILL');
    return command;
  } catch {
    // It ended by itself meanwhile.
    return undefined;
  }
}
