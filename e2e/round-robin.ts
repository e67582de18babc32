import { connect, createServer, type Server, type Socket } from 'node:net';

/** A minimal load balancer: each connection goes to the next server that accepts it. */
export class RoundRobin implements AsyncDisposable {
  readonly #targets: readonly URL[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  private constructor(targets: readonly string[]) {
    this.#targets = targets.map((target) => new URL(target));
    this.#server = createServer((client) => {
      const first = this.#next++ % this.#targets.length;
      this.#forward(client, [...this.#targets.slice(first), ...this.#targets.slice(0, first)]);
    });
  }

  static async start(targets: readonly string[]): Promise<RoundRobin> {
    const balancer = new RoundRobin(targets);
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(client: Socket, [target, ...others]: readonly URL[]): void {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    const refused = () => this.#forward(client, others);
    server.once('error', refused).once('connect', () => {
      server.off('error', refused);
      this.#join(client, server);
    });
  }

  #join(client: Socket, server: Socket): void {
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
