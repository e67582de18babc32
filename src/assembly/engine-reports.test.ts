import { expect, it } from 'vitest';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { engineReports } from './engine-reports.ts';

it('tells of every engine of the gateway, the field finder too, and of nothing else', () => {
  const config = parseTestConfig(
    'engines: { text: { gpu: { kind: openai, base_url: "http://gpu", model: tiny } } }',
  );
  const reports = engineReports({
    config,
    states: [
      ['text:gpu', 'ready'],
      ['fields:embedded', 'degraded'],
      ['database:embedded', 'ready'],
    ],
    depths: [['text:gpu', 2]],
    failureOf: (label) => (label === 'fields:embedded' ? 'gone' : undefined),
  });
  expect(reports).toMatchObject([
    { capability: 'text', name: 'gpu', kind: 'openai', model: 'tiny', state: 'ready', waiting: 2 },
    { capability: 'fields', name: 'embedded', kind: 'embedded', state: 'degraded', lastError: 'gone' },
  ]);
});
