import { Socket } from 'node:net';
import { parentPort, type Transferable } from 'node:worker_threads';
import { endWithParent } from './end-with-parent.ts';
import { readMessages, writeMessage } from './message-frames.ts';
import type { MessageFromChild } from './messages.ts';
import { ownThread } from './thread-cpu.ts';

/** The parent as seen by the child. */
export interface ParentPort {
  /** Throws if the message cannot be cloned. */
  send(message: MessageFromChild, transfer: readonly Transferable[]): void;
  listen(receive: (message: unknown) => void): void;
  memoryBytes(): number;
  /** The OS id of this thread, of a process of its main thread; undefined where it is not available. */
  readonly thread: number | undefined;
}

const pipeDescriptor = 3;

/** Opens the connection to the parent; from here on, a process ends with its parent. */
export function openParentPort(): ParentPort {
  return parentPort ? threadPort(parentPort) : processPort(new Socket({ fd: pipeDescriptor }));
}

function threadPort(port: NonNullable<typeof parentPort>): ParentPort {
  return {
    send: (message, transfer) => port.postMessage(message, transfer),
    listen: (receive) => void port.on('message', receive),
    // The resident size is of the whole process; these two are the thread's own.
    memoryBytes() {
      const { heapTotal, external } = process.memoryUsage();
      return heapTotal + external;
    },
    thread: ownThread(),
  };
}

function processPort(pipe: Socket): ParentPort {
  endWithParent(pipe);
  let receive: (message: unknown) => void = () => {};
  // Read from the start, so that the parent's death is noticed while the child loads.
  readMessages(pipe, (message) => receive(message));
  return {
    send: (message) => writeMessage(pipe, message),
    listen(listener) {
      receive = listener;
    },
    memoryBytes: () => process.memoryUsage.rss(),
    thread: ownThread(),
  };
}
