import { expect, test } from 'vitest';
import type { FetchState } from '../../catalogue/model-fetch.ts';
import { Fault } from '../../faults/fault.ts';
import { FetchedOcr } from './fetched-ocr.ts';

const { signal } = new AbortController();
const picture = { kind: 'encoded', bytes: Buffer.alloc(0) } as const;

function ocrWith(state: FetchState): FetchedOcr {
  return new FetchedOcr({
    model: 'pp-ocrv6-small',
    threads: 2,
    models: {
      stateOf: () => state,
      faultOf: () => (state.state === 'ready' ? undefined : new Fault('model-not-ready', state.message)),
      ready: () => Promise.reject(new Error('never')),
    },
  });
}

test.each([
  [{ state: 'absent', message: 'it is about to come' }, 'starting'],
  [{ state: 'failed', message: 'no registry answers' }, 'degraded'],
] as const)('while the model is %j, OCR is %s and refuses at once', async (fetched, state) => {
  const ocr = ocrWith(fetched);
  expect(ocr.lifecycle.state).toBe(state);
  await expect(ocr.read(picture, { stackId: 'shop', signal })).rejects.toThrow(fetched.message);
  await ocr.stop(signal);
});

test('with the model here, OCR rests until it is asked', async () => {
  const ocr = ocrWith({ state: 'ready', model: { name: 'm', files: [] } });
  expect(ocr.lifecycle.state).toBe('paused');
  expect(ocr.parallel).toBe(2);
  await expect(ocr.read(picture, { stackId: 'shop', signal })).rejects.toThrow(
    'is not one that reads pictures',
  );
});
