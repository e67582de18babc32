import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('schema-judge.mjs', import.meta.url));
/** A grammar that takes longer to make and try counts as a hang. */
const LIMIT_MS = 60_000;

/** Judges schemas in a child process, which is replaced when it crashes or hangs. */
export class SchemaJury {
  #args;
  #warmUp;
  #child;

  /** Every child first compiles the warm-up schemas, like a gateway that has run for a while. */
  constructor({ compiler, matcher, warmUp = [] }) {
    this.#args = [compiler, matcher];
    this.#warmUp = warmUp;
  }

  async judge(schema, tests) {
    const child = await this.#ready();
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(LIMIT_MS)]);
    child.once('exit', () => ended.abort('crash'));
    child.send({ schema, tests });
    try {
      const [result] = await once(child, 'message', { signal });
      return result;
    } catch {
      const refused = ended.signal.aborted ? 'crash' : 'hang';
      this.close();
      return { refused, cpuMs: 0, answers: tests.map(() => false) };
    }
  }

  close() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #ready() {
    if (this.#child) return this.#child;
    this.#child = fork(CHILD, this.#args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child.setMaxListeners(0);
    await once(this.#child, 'message');
    await warmUp(this.#child, this.#warmUp);
    return this.#child;
  }
}

async function warmUp(child, schemas) {
  for (const schema of schemas) {
    if (!child.connected) return;
    child.send({ schema, tests: [] });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  }
}
