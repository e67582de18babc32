import { readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';
import { ask, type HttpAnswer, type HttpQuestion } from './http-answer.ts';
import { type Environment, type StackgateCommand, StackgateProcess } from './stackgate-process.ts';
import type { WorkFolder } from './work-folder.ts';

const READY_BOUND_MS = 180_000;
const LISTENING = /^Stackgate is listening on (\S+)\n/m;

/** One line of the JSON log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A request to a gateway; `key` is sent as a bearer token. */
export interface GatewayQuestion extends HttpQuestion {
  readonly key?: string | undefined;
}

/** A running gateway, as its operator and clients see it. */
export class GatewayProcess extends StackgateProcess {
  readonly folder: WorkFolder;

  constructor(folder: WorkFolder, environment: Environment = {}) {
    super({ cwd: folder.path, environment });
    this.folder = folder;
  }

  /** Known once it is ready. */
  get url(): string {
    const url = LISTENING.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error('the gateway does not listen yet');
    return url;
  }

  /** The quick-start key. */
  get key(): string {
    return readFileSync(this.folder.defaultKeyPath, 'utf8').trim();
  }

  /** Resolves when it listens and has printed its start messages. */
  async ready(): Promise<void> {
    await eventually(
      `the gateway listens: ${this.folder.path}`,
      () => {
        if (this.hasExited) throw new Error(`the gateway ended: ${this.stdout}${this.stderr}`);
        return LISTENING.test(this.stdout) || undefined;
      },
      READY_BOUND_MS,
    );
  }

  request(path: string, { key, headers, ...question }: GatewayQuestion = {}): Promise<HttpAnswer> {
    const credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return ask(this.url + path, { ...question, headers: { ...credential, ...headers } });
  }

  /** The status of a list of models with this key. */
  async statusFor(key: string): Promise<number> {
    return (await this.request('/v1/models', { key })).status;
  }

  /** The models available to the key. */
  async modelsFor(key: string): Promise<readonly string[]> {
    const list = (await this.request('/v1/models', { key })).json();
    if (typeof list !== 'object' || list === null || !('data' in list) || !Array.isArray(list.data))
      return [];
    return list.data.map((model) => String(model.id));
  }

  /** Requests being served, this one included. */
  async inFlight(): Promise<number> {
    const { text } = await this.request('/metrics');
    return Number(/^stackgate_http_requests_in_flight (\d+)$/m.exec(text)?.[1]);
  }

  /** The log so far. */
  get log(): readonly LogLine[] {
    const lines = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  }

  /** The log lines with a message; waits for this many. */
  logged(message: string, count = 1): Promise<readonly LogLine[]> {
    return eventually(`${count} × "${message}" in the log`, () => {
      const lines = this.log.filter((line) => line.message === message);
      return lines.length >= count ? lines : undefined;
    });
  }

  /** A Stackgate command with the same folder, configuration and environment. */
  command(argv: readonly string[], environment: Environment = {}): StackgateCommand {
    return { cwd: this.folder.path, argv, environment };
  }
}

/** Starts a gateway in a folder and waits until it listens. */
export async function startGateway(
  folder: WorkFolder,
  environment: Environment = {},
): Promise<GatewayProcess> {
  const gateway = new GatewayProcess(folder, environment);
  try {
    await gateway.ready();
    return gateway;
  } catch (error) {
    await gateway.kill();
    throw error;
  }
}
