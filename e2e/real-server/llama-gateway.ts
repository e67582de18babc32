import { eventually } from '../eventually.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import type { HttpAnswer } from '../http-answer.ts';
import { WorkFolder } from '../work-folder.ts';
import { LlamaServer } from './llama-server.ts';

/** The key of the stack. */
export const llamaKey = 'a-key-for-a-real-server';

interface Parts {
  readonly folder: WorkFolder;
  readonly server: LlamaServer;
  readonly process: GatewayProcess;
}

/** A gateway process in front of a real llama.cpp server. */
export class LlamaGateway implements AsyncDisposable {
  readonly server: LlamaServer;
  readonly process: GatewayProcess;
  readonly #folder: WorkFolder;

  private constructor({ folder, server, process }: Parts) {
    this.#folder = folder;
    this.server = server;
    this.process = process;
  }

  /** Starts both and waits until the gateway has probed its model. */
  static async start(python: string): Promise<LlamaGateway> {
    const folder = await WorkFolder.withDatabase();
    const started: AsyncDisposable[] = [];
    try {
      const server = await LlamaServer.start(python);
      started.push(server);
      folder.configure(configurationFor(server));
      const process = await startGateway(folder);
      started.push(process);
      const gateway = new LlamaGateway({ folder, server, process });
      await eventually('the model is ready', () => gateway.#isReady());
      return gateway;
    } catch (error) {
      for (const part of started.reverse()) await part[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** Sends a JSON body. */
  post(path: string, body: object): Promise<HttpAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.process.request(path, { method: 'POST', key: llamaKey, body: JSON.stringify(body), headers });
  }

  async #isReady(): Promise<true | undefined> {
    const body = { messages: [{ role: 'user', content: 'Are you there?' }] };
    const { status } = await this.post('/v1/messages/count_tokens', body);
    return status === 200 || undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Only the address: the server tells its window and how to count. */
function configurationFor({ url }: LlamaServer): string {
  return `
engines:
  text:
    cpu: { kind: openai, base_url: "${url}/v1", model: smollm2 }
stacks:
  - id: shop
    account: acme
    text: cpu
    models: [smollm2]
    keys: [{ id: web, secret: ${llamaKey} }]
`;
}
