import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A TCP proxy whose connections can be cut, refused or kept without an answer. */
export class TcpProxy {
  #port;
  #server = createServer((client) => this.#join(client));
  #sockets = new Set();
  #isRefusing = false;
  #isSilent = false;

  static async start(port) {
    const proxy = new TcpProxy(port);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  constructor(port) {
    this.#port = port;
  }

  get port() {
    return this.#server.address().port;
  }

  /** Resets all connections. */
  cut() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Resets all connections, and new ones too until `restore`. */
  refuse() {
    this.#isRefusing = true;
    this.cut();
  }

  /** Passes nothing on until `restore`, without closing anything: a network that loses packets. */
  silence() {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore() {
    this.#isRefusing = false;
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close() {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client) {
    if (this.#isRefusing) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const server = connect(this.#port, '127.0.0.1');
    this.#forward(client, server);
    this.#forward(server, client);
  }

  #forward(one, other) {
    this.#sockets.add(one);
    one.on('error', () => {});
    one.once('close', () => {
      this.#sockets.delete(one);
      other.destroy();
    });
    one.on('data', (bytes) => {
      if (other.write(bytes)) return;
      one.pause();
      other.once('drain', () => this.#isSilent || one.resume());
    });
    if (this.#isSilent) one.pause();
  }
}
