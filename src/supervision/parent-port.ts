import { Socket } from 'node:net';
import { parentPort, type Transferable } from 'node:worker_threads';
import { endWithParent } from './end-with-parent.ts';
import { readMessages, writeMessage } from './message-frames.ts';
import type { MessageFromChild } from './messages.ts';
import { ownThread } from './thread-cpu.ts';

/** The parent, seen from the child. */
export interface ParentPort {
  /** Throws when the message cannot be cloned. */
  send(message: MessageFromChild, transfer: readonly Transferable[]): void;
  listen(receive: (message: unknown) => void): void;
  memoryBytes(): number;
  /** Which thread of the parent's process this is; undefined for a process of its own, or where nobody tells. */
  readonly thread: number | undefined;
}

const pipeDescriptor = 3;

/** The way to the parent of this process or thread; from here on, a process ends when its parent does. */
export function openParentPort(): ParentPort {
  return parentPort ? threadPort(parentPort) : processPort(new Socket({ fd: pipeDescriptor }));
}

function threadPort(port: NonNullable<typeof parentPort>): ParentPort {
  return {
    send: (message, transfer) => port.postMessage(message, transfer),
    listen: (receive) => void port.on('message', receive),
    // The resident size is that of the whole process; these two are the thread's own.
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
  // Read from the start, or the end of the parent would go unseen while the child loads.
  readMessages(pipe, (message) => receive(message));
  return {
    send: (message) => writeMessage(pipe, message),
    listen(listener) {
      receive = listener;
    },
    memoryBytes: () => process.memoryUsage.rss(),
    thread: undefined,
  };
}
