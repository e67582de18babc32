import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { LaunchChild } from './child-port.ts';
import { readLines } from './output-lines.ts';

export interface WorkerChildOptions {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly resourceLimits?: ResourceLimits;
}

/**
 * A child in a worker thread: cheap, and buffers are transferred without a copy. Killing it stops JavaScript and WebAssembly at
 * once, but native code only when it returns, and a native crash kills the whole process: add-ons belong in a forked child.
 */
export function workerChild(options: WorkerChildOptions): LaunchChild {
  return (listener) => {
    const worker = new Worker(options.entry, {
      env: { ...options.env },
      workerData: options.data,
      stdout: true,
      stderr: true,
      ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
    });
    let thrown: unknown;
    readLines(worker.stdout, listener.line);
    readLines(worker.stderr, listener.line);
    worker.on('message', (message) => listener.message(message));
    worker.on('messageerror', (error) => listener.message(error));
    worker.on('error', (error) => {
      thrown = error;
    });
    worker.once('exit', (exitCode) => listener.ended({ exitCode, signal: null, error: thrown }));
    return {
      send: (message, transfer) => worker.postMessage(message, transfer),
      kill: () => void worker.terminate(),
    };
  };
}
