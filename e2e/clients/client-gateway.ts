import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { eventually } from '../eventually.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { type CommandResult, runCommand } from '../run-command.ts';
import { WorkFolder } from '../work-folder.ts';
import { chatPath, lastQuestion, planFor } from './scenarios.ts';

const GONE_BOUND_MS = 60_000;

/** The key of the stack that clients call. */
export const clientKey = 'a-key-for-real-clients';

/** Its image model. */
export const imageModel = 'painter-x';

/** A question that the knowledge base has a passage for, and the key that may ask it. */
export const reader = {
  readerKey: 'a-key-for-readers',
  readerQuestion: 'Say hello to each employee with twenty-eight days of leave in a year',
};
const HANDBOOK = '# Leave\n\nEach employee has twenty-eight days of leave in a year.\n';

interface Parts {
  readonly folder: WorkFolder;
  readonly upstream: FakeUpstream;
  readonly process: GatewayProcess;
}

/** A gateway process with a scripted model, for clients to call. */
export class ClientGateway implements AsyncDisposable {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts both and waits until the gateway listens. */
  static async start(): Promise<ClientGateway> {
    const upstream = await startFakeUpstream();
    upstream.script(planFor);
    const folder = await WorkFolder.withDatabase();
    writeFileSync(join(folder.path, 'handbook.md'), HANDBOOK);
    folder.configure(configurationFor(upstream));
    try {
      const process = await startGateway(folder);
      const gateway = new ClientGateway({ folder, upstream, process });
      await eventually('the model is ready', () => gateway.#isReady());
      await eventually('the handbook is indexed', () => gateway.#isIndexed());
      return gateway;
    } catch (error) {
      await upstream.close();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  get url(): string {
    return this.#parts.process.url;
  }

  /** Writes a file for clients to read; returns its path. */
  file(name: string, bytes: Buffer): string {
    const path = join(this.#parts.folder.path, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Runs a Stackgate command with the same configuration. */
  command(argv: readonly string[]): Promise<CommandResult> {
    return runCommand(this.#parts.process.command(argv));
  }

  /** Makes the model fail every chat from now on. */
  breakModel(): void {
    this.#parts.upstream.script(({ path }) =>
      path === chatPath ? { fail: { mode: 'status', status: 500 } } : undefined,
    );
  }

  /** Waits for the end of the upstream call with this question; returns how it ended. */
  async endOf(question: string): Promise<string> {
    const asked = this.#parts.upstream.requests.find(
      ({ path, body }) => path === chatPath && lastQuestion(body) === question,
    );
    if (asked === undefined) throw new Error(`the model was never asked "${question}"`);
    const bound = new Promise<string>((resolve) => {
      setTimeout(() => resolve('still open'), GONE_BOUND_MS).unref();
    });
    return await Promise.race([asked.ended, bound]);
  }

  /** A gateway listens before it has probed its model. */
  async #isReady(): Promise<true | undefined> {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Are you there?' }] });
    const question = {
      method: 'POST',
      key: clientKey,
      body,
      headers: { 'content-type': 'application/json' },
    };
    const { status } = await this.#parts.process.request('/v1/messages/count_tokens', question);
    return status === 200 || undefined;
  }

  async #isIndexed(): Promise<true | undefined> {
    const { text } = await this.#parts.process.request('/v1/knowledge', { key: reader.readerKey });
    return text.includes('"state":"ready"') || undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { folder, upstream, process } = this.#parts;
    await process[Symbol.asyncDispose]();
    await upstream.close();
    folder[Symbol.dispose]();
  }
}

function configurationFor({ url, model }: FakeUpstream): string {
  return `
engines:
  text:
    gpu: { kind: openai, base_url: "${url}/v1", model: ${model}, context_window: 65536 }
  image:
    flux: { kind: openai-images, base_url: "${url}/v1", model: ${imageModel} }
stacks:
  - id: shop
    account: acme
    text: gpu
    models: [org/model-x, other]
    image_plan: true
    image: flux
    limits: { images: { submissions_per_minute: 1000, in_flight: 50, rendering: 2 } }
    keys: [{ id: web, secret: ${clientKey} }]
  - id: library
    account: acme
    text: gpu
    models: [other]
    knowledge: [handbook.md]
    keys: [{ id: web, secret: ${reader.readerKey}, retrieval: true, knowledge: read }]
`;
}
