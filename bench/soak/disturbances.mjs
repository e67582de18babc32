// Failures behind the gateway: model servers that fail in every known way, and killed engines.
import { readFileSync } from 'node:fs';
import { BREAKAGES, QUIRKS } from '../../testing/fake-upstream/failure-modes.mjs';
import { descendantsOf } from '../process-tree.mjs';

// Much slower than the rest of the traffic, without breaking anything.
const TOO_SLOW = new Set(['huge-event']);
const FAILURES = [...BREAKAGES, ...QUIRKS].filter((mode) => !TOO_SLOW.has(mode));

/** Makes a fraction of the upstream's answers fail. */
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

/** Kills a child process of the gateway; returns its name, or undefined if there is none. */
export function killAnEngine(gatewayPid, random) {
  const children = descendantsOf(gatewayPid);
  const victim = children[Math.floor(random() * children.length)];
  if (victim === undefined) return undefined;
  try {
    const command = readFileSync(`/proc/${victim}/cmdline`, 'utf8').split('\0').slice(0, 3).join(' ');
    process.kill(victim, 'SIGKILL');
    return command;
  } catch {
    // It exited meanwhile.
    return undefined;
  }
}
