import type { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { CrashLine } from './crash-line.ts';

it('logs uncaught exceptions until it is disposed', () => {
  const lines: string[] = [];
  const told: EventEmitter = process;
  const crash = () => told.emit('uncaughtExceptionMonitor', new Error('out of luck'), 'uncaughtException');
  {
    using _line = new CrashLine(createLog('info', { write: (line) => void lines.push(line) }));
    crash();
  }
  crash();
  expect(lines).toEqual([expect.stringMatching(/"level":"error".*out of luck.*"the process crashed"/)]);
});
