import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { OutputChecker } from './output-checker.ts';

interface Look {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly end: (keyword?: string) => void;
  readonly fail: (error: Error) => void;
}

let looks: Look[];
let lines: string[];
let missed: string[];
let checker: OutputChecker;

beforeEach(() => {
  looks = [];
  lines = [];
  missed = [];
  const breach = (_: unknown, text: string, signal: AbortSignal) =>
    new Promise<string | undefined>((resolve, fail) => {
      const abort = () => fail(signal.reason);
      signal.addEventListener('abort', abort);
      const end = (keyword?: string) => {
        signal.removeEventListener('abort', abort);
        resolve(keyword);
      };
      looks.push({ text, signal, end, fail });
    });
  checker = new OutputChecker({
    schemas: { breach },
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    onMiss: (engine) => void missed.push(engine),
  });
});
afterEach(() => checker.stop());

function output(text: string, schema: unknown = { type: 'object' }) {
  return { of: 'answer', text, schema } as const;
}

async function look(index: number): Promise<Look> {
  await expect.poll(() => looks.length, { interval: 1 }).toBeGreaterThan(index);
  return looks[index] as Look;
}

describe('OutputChecker', () => {
  it('counts, logs and reports answers that do not satisfy their schema, without their text', async () => {
    const told: boolean[] = [];
    const onChecked = (fits: boolean) => void told.push(fits);
    const check = checker.forEngine('text:gpu');
    check({ ...output('{"secret": 1}'), server: 'http://gpu', form: 'json_schema', onChecked });
    check({ ...output('{"fine": 1}'), onChecked });
    (await look(0)).end('required');
    (await look(1)).end();
    await expect.poll(() => told).toEqual([false, true]);
    expect(missed).toEqual(['text:gpu']);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', engine: 'text:gpu', server: 'http://gpu', form: 'json_schema', keyword: 'required' },
    ]);
    expect(lines.join('')).not.toContain('secret');
  });

  it('skips an answer that cannot be checked, and goes on', async () => {
    const check = checker.forEngine('text:gpu');
    check(output('one'));
    check(output('two'));
    (await look(0)).fail(new Error('a schema without end'));
    (await look(1)).end();
    await checker.stop();
    expect(looks.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(missed).toEqual([]);
  });

  it('checks one answer at a time, and keeps at most a hundred waiting', async () => {
    const check = checker.forEngine('text:gpu');
    for (let index = 0; index < 150; index++) check(output(String(index)));
    await look(0);
    expect(looks).toHaveLength(1);
    for (let index = 0; index < 100; index++) (await look(index)).end();
    check(output('last'));
    (await look(100)).end();
    expect(looks.map(({ text }) => text).slice(98)).toEqual(['98', '99', 'last']);
  });

  it('drops waiting checks when it stops', async () => {
    const check = checker.forEngine('text:gpu');
    check(output('one'));
    check(output('two'));
    const first = await look(0);
    await checker.stop();
    expect(first.signal.aborted).toBe(true);
    expect(looks).toHaveLength(1);
    expect(missed).toEqual([]);
  });
});
