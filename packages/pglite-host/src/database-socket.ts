import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { SessionMultiplexer } from './session-multiplexer.ts';
import { openSocketFolder, SOCKET_NAME, type SocketFolder } from './socket-path.ts';
import { encodeError } from './wire-messages.ts';

/** Most concurrent connections from other processes. */
const MAX_CONNECTIONS = 20;
/** How long a client may hold a transaction open without sending anything. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const REFUSAL_LINGER_MS = 1_000;
const OWNER_ONLY_UMASK = 0o177;

/** Options of a database socket. */
export interface DatabaseSocketOptions {
  readonly dataDir: string;
  readonly multiplexer: SessionMultiplexer;
  readonly idleInTransactionMs?: number | undefined;
}

/** The Unix socket in the data folder through which other processes of the same user reach the database. */
export class DatabaseSocket {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #options: DatabaseSocketOptions;
  readonly #folder: SocketFolder;

  private constructor(options: DatabaseSocketOptions, folder: SocketFolder) {
    this.#options = options;
    this.#folder = folder;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Starts listening; undefined if the folder's path is too long for a socket. */
  static async listen(options: DatabaseSocketOptions): Promise<DatabaseSocket | undefined> {
    const folder = openSocketFolder(options.dataDir);
    if (folder === undefined) return undefined;
    const socket = new DatabaseSocket(options, folder);
    try {
      await socket.#listen();
      return socket;
    } catch (error) {
      folder.dispose();
      throw error;
    }
  }

  /** Ends all connections and removes the socket. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#folder.dispose();
  }

  #listen(): Promise<void> {
    const address = path.join(this.#folder.folder, SOCKET_NAME);
    rmSync(address, { force: true });
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      // listen() creates the socket file synchronously, so the file never has another mode.
      const umask = process.umask(OWNER_ONLY_UMASK);
      try {
        this.#server.listen(address, resolve);
      } finally {
        process.umask(umask);
      }
    });
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    this.#sockets.add(socket);
    if (this.#sockets.size > MAX_CONNECTIONS) refuse(socket);
    else this.#attach(socket);
  }

  #attach(socket: Socket): void {
    const send = (bytes: Buffer): void => {
      if (socket.writable) socket.write(bytes);
    };
    const idleLimitMs = this.#options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS;
    const client = this.#options.multiplexer.attach({ send, end: () => socket.destroySoon() }, idleLimitMs);
    socket.on('data', (chunk) => client.receive(Buffer.from(chunk)));
    socket.on('close', () => client.leave());
  }
}

function refuse(socket: Socket): void {
  socket.end(encodeError({ severity: 'FATAL', sqlState: '53300', message: 'too many connections' }));
  // Unread data would make the client see a reset instead of the reason.
  socket.resume();
  socket.setTimeout(REFUSAL_LINGER_MS, () => socket.destroy());
}
