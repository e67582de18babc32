import { expect, it } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { logWatcher } from './fetch-watcher.ts';

it('logs progress now and then, and the end', () => {
  const lines: Record<string, unknown>[] = [];
  let nowMs = 0;
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const watcher = logWatcher(log, () => nowMs);
  for (let step = 0; step <= 10; step++) {
    nowMs = step * 2000;
    watcher.progressed('tiny', { source: 'a hub', receivedBytes: step * 9_300_000, totalBytes: 93_000_000 });
  }
  watcher.failed('tiny', 'the server answered 404', 15_000);
  watcher.arrived('tiny', { name: 'tiny', files: [] });
  expect(lines.map(({ level, message, progress }) => [level, message, progress])).toEqual([
    ['info', 'fetching a model', '0 of 93 MB'],
    ['info', 'fetching a model', '47 of 93 MB'],
    ['info', 'fetching a model', '93 of 93 MB'],
    ['warn', 'no model yet', undefined],
    ['info', 'the model is here', undefined],
  ]);
  expect(lines[3]).toMatchObject({ model: 'tiny', reason: 'the server answered 404', retryInSeconds: 15 });
});
