import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, openLog } from './log.ts';
import { prettyDestination, prettyLine } from './pretty-log.ts';

function capture(): { lines: string[]; output: Writable } {
  const lines: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, output };
}

function shown(lines: string[]) {
  const unshown: string[] = [];
  return {
    write: (line: string) => void unshown.push(line),
    flush: () => void lines.push(...unshown.splice(0)),
  };
}

describe('the JSON log', () => {
  it('writes one object a line, with time, level and message by name', () => {
    const { lines, output } = capture();
    createLog('info', output).info({ requestId: 'req_1', status: 200 }, 'request');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: 'req_1',
      status: 200,
      message: 'request',
    });
  });

  it('writes the line of a request as it writes any other', () => {
    const { lines, output } = capture();
    const log = createLog('info', output);
    const ended = {
      requestId: 'req_1',
      method: 'GET',
      route: '/v1/images/{id}',
      status: 200,
      durationMs: 1.25,
      client: '1.2.3.4',
    };
    const requests = [
      ended,
      { ...ended, client: 'a"\u001b\n\\é' },
      { ...ended, method: undefined },
      { ...ended, stack: 'shop', key: 'web' },
    ];
    for (const request of requests) {
      log.request(request);
      log.info({ ...request, durationMs: 1.3 }, 'request');
    }
    const withoutTime = lines.map((line) => line.replace(/"time":"[^"]*"/, ''));
    for (let at = 0; at < lines.length; at += 2) expect(withoutTime[at]).toBe(withoutTime[at + 1]);
    expect(lines).toHaveLength(8);
    createLog('warn', output).request(ended);
    expect(lines).toHaveLength(8);
  });

  it('writes nothing below its level', () => {
    const { lines, output } = capture();
    createLog('warn', output).info('quiet');
    expect(lines).toEqual([]);
  });

  it('writes an error with its causes and leaves out what else it carries', () => {
    const { lines, output } = capture();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', parameters: ['a prompt'] });
    createLog('info', output).error({ error: new Error('away', { cause }) }, 'failed');
    expect(JSON.parse(lines[0] ?? '').error).toEqual({
      name: 'Error',
      message: 'away',
      stack: expect.stringContaining('Error: away'),
      cause: {
        name: 'Error',
        message: 'refused',
        code: 'ECONNREFUSED',
        stack: expect.stringContaining('Error: refused'),
      },
    });
    expect(lines[0]).not.toContain('a prompt');
  });

  it('ends for an error that is its own cause', () => {
    const { lines, output } = capture();
    const error = new Error('round');
    error.cause = error;
    createLog('info', output).error({ error }, 'failed');
    expect(JSON.parse(lines[0] ?? '').error.message).toBe('round');
  });

  it('writes thrown values that are no errors', () => {
    const { lines, output } = capture();
    createLog('info', output).error({ error: 'just text' }, 'failed');
    expect(JSON.parse(lines[0] ?? '').error).toEqual({ message: 'just text' });
  });
});

describe('a log whose reader was away', () => {
  it.each(['json', 'pretty'] as const)('says how many lines are missing: %s', (format) => {
    const lines: string[] = [];
    let tell = (_lines: number) => {};
    const output = {
      write: (line: string) => void lines.push(line),
      flush: () => {},
      onDropped: (told: typeof tell) => {
        tell = told;
      },
    };
    openLog({ level: 'info', format }, output);
    tell(12);
    expect(lines).toEqual([
      expect.stringMatching(/warn.*missing.*lines=12\n|"warn".*"lines":12,.*missing.*\n/),
    ]);
  });
});

describe('the pretty log', () => {
  it('writes time, level, message and the rest as pairs', () => {
    const line =
      '{"level":"info","time":"2026-01-02T03:04:05.678Z","status":200,"route":"/v1/models","message":"request"}';
    expect(prettyLine(line)).toBe('03:04:05 \u001b[36minfo \u001b[0m request status=200 route=/v1/models\n');
  });

  it('writes an error and its causes as indented stacks', () => {
    const lines: string[] = [];
    const error = new Error('away', { cause: new Error('refused') });
    createLog('info', prettyDestination(shown(lines))).error({ error }, 'failed');
    expect(lines[0]).toMatch(/failed\n {2}Error: away\n {6}at /);
    expect(lines[0]).toMatch(/\n {2}Error: refused\n {6}at /);
  });

  it('writes what has no stack as JSON', () => {
    expect(prettyLine('{"level":"warn","time":"2026-01-02T03:04:05Z","error":{"message":"x"}}')).toBe(
      '03:04:05 \u001b[33mwarn \u001b[0m \n  {"message":"x"}\n',
    );
  });

  it('does not let a value colour or move the terminal', () => {
    const lines: string[] = [];
    createLog('info', prettyDestination(shown(lines))).info({ client: 'a\u001b[2Jb\nc' }, 'request');
    expect(lines[0]).not.toContain('\u001b[2J');
    expect(lines[0]?.trimEnd()).not.toContain('\n');
  });
});
