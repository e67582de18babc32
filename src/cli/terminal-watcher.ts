import type { FetchWatcher } from '../catalogue/fetch-watcher.ts';
import { modelName } from '../config/model-path.ts';
import { fetchLine, ProgressLine } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Shows the progress of model fetches on the terminal. */
export function terminalWatcher(terminal: Terminal): FetchWatcher {
  const line = new ProgressLine(terminal);
  return {
    progressed: (model, progress) => line.show(fetchLine(modelName(model), progress)),
    arrived: () => line.clear(),
    failed(model, reason, retryInMs) {
      line.clear();
      terminal.err(
        `No model ${modelName(model)} yet; next try in ${Math.round(retryInMs / 1000)} s. ${reason}\n`,
      );
    },
  };
}
