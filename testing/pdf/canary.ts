import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Listens on loopback for anything that should never come: connections, datagrams, and DNS queries. */
export class Canary implements AsyncDisposable {
  /** A short description of each. */
  readonly heard: string[] = [];
  readonly #tcp: Server;
  readonly #udp: Socket;

  private constructor(tcp: Server, udp: Socket) {
    this.#tcp = tcp;
    this.#udp = udp;
    tcp.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => this.heard.push(`tcp ${data.subarray(0, 80).toString('latin1')}`));
      this.heard.push('tcp connection');
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    udp.on('message', (data) => this.heard.push(`udp ${data.subarray(0, 80).toString('latin1')}`));
  }

  /** The same port for TCP and UDP. */
  static async start(): Promise<Canary> {
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    return new Canary(tcp, udp);
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tcp.close();
    await new Promise<void>((resolve) => this.#udp.close(resolve));
  }
}
