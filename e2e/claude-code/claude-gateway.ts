import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { eventually } from '../eventually.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { type Environment, StackgateProcess } from '../stackgate-process.ts';
import { WorkFolder } from '../work-folder.ts';
import { type ClaudeOrder, ClaudeRun } from './claude-run.ts';

const MARKER_ROUTE = '/healthz';
const WINDOW_TOKENS = 131_072;
/** The smallest window in which Claude Code works: a handful of files fills it. */
export const TIGHT_WINDOW_TOKENS = 65_536;
/** Smaller than Claude Code's first prompt. */
export const SMALL_WINDOW_TOKENS = 20_000;

/** A chat request to the upstream. */
export interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly max_tokens: number;
}

/** The stacks, by the peculiarity of their model. */
export type StackName = 'usual' | 'tight' | 'small' | 'seeing';

/** An order for Claude Code; by default for the usual stack. */
export interface GatewayOrder extends Partial<ClaudeOrder> {
  readonly stack?: StackName;
}

interface ClaudeGatewayParts {
  readonly upstream: FakeUpstream;
  readonly gateway: GatewayProcess;
  readonly settings: Environment;
}

/** A gateway for Claude Code in front of a fake upstream; disposing stops both. */
export class ClaudeGateway implements AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly gateway: GatewayProcess;
  readonly #program: string;
  readonly #settings: Environment;
  #seenRequests = 0;
  #seenAnswers = 0;
  #markers = 0;

  private constructor(program: string, parts: ClaudeGatewayParts) {
    this.#program = program;
    this.upstream = parts.upstream;
    this.gateway = parts.gateway;
    this.#settings = parts.settings;
  }

  /** Starts both and gets the settings from `stackgate connect`. */
  static async start(program: string): Promise<ClaudeGateway> {
    const upstream = await startFakeUpstream({ contextWindow: WINDOW_TOKENS });
    // Counting the tokens of pictures takes no answer from the queue.
    upstream.script(({ body }) => (isCount(body) ? { text: '.' } : undefined));
    const folder = await WorkFolder.withDatabase();
    folder.configure(configuration(upstream.url));
    const gateway = await startGateway(folder);
    return new ClaudeGateway(program, { upstream, gateway, settings: await printedSettings(gateway) });
  }

  /** The settings printed by `stackgate connect claude-code`, with the key of a stack. */
  settingsFor(stack: StackName): Environment {
    return { ...this.#settings, ANTHROPIC_AUTH_TOKEN: keyOf(stack) };
  }

  /** Runs Claude Code on a prompt; prints one JSON object by default. */
  run(
    prompt: string,
    { stack = 'usual', argv = ['--output-format', 'json'], ...order }: GatewayOrder = {},
  ): ClaudeRun {
    const environment = this.settingsFor(stack);
    return new ClaudeRun({ program: this.#program, environment, ...order, argv: ['-p', prompt, ...argv] });
  }

  /** Chat requests to the upstream since the last call, oldest first. */
  takeChats(): readonly ChatBody[] {
    const fresh = this.upstream.requests.filter(({ serial }) => serial > this.#seenRequests);
    this.#seenRequests = this.upstream.totalRequests;
    return fresh.map(({ body }) => body).filter((body) => isChat(body) && !isCount(body)) as ChatBody[];
  }

  /** The gateway's answers since the last call, as "route status"; waits for at least this many. */
  async takeAnswers(least: number): Promise<readonly string[]> {
    const fresh = () => this.gateway.log.filter(isAnswer).slice(this.#seenAnswers);
    await this.#flushLog();
    await eventually(`${least} answers in the log`, () => fresh().length >= least || undefined);
    const answers = fresh();
    this.#seenAnswers += answers.length;
    return answers.map(({ route, status }) => `${route} ${status}`);
  }

  /** The log is delayed but ordered: once a later request is logged, all before it are. */
  async #flushLog(): Promise<void> {
    await this.gateway.request(MARKER_ROUTE);
    this.#markers += 1;
    await eventually('the log is read', () => {
      const markers = this.gateway.log.filter(({ route }) => route === MARKER_ROUTE);
      return markers.length >= this.#markers || undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.upstream.close();
    this.gateway.folder[Symbol.dispose]();
  }
}

export function keyOf(stack: StackName): string {
  return `key-of-${stack}-for-claude-code`;
}

async function printedSettings(gateway: GatewayProcess): Promise<Environment> {
  const argv = ['--json', 'connect', 'claude-code', '--url', gateway.url];
  await using connect = new StackgateProcess(gateway.command(argv));
  await connect.exited;
  const { client: _, ...settings } = JSON.parse(connect.stdout);
  return settings;
}

function isAnswer({ message, route }: Readonly<Record<string, unknown>>): boolean {
  return message === 'request' && route !== '/metrics' && route !== MARKER_ROUTE;
}

function isChat(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'messages' in body && 'max_tokens' in body;
}

function isCount(body: unknown): boolean {
  return isChat(body) && Object(body).max_tokens === 1;
}

function configuration(upstreamUrl: string): string {
  const engine = (name: StackName, more: string): string =>
    `    ${name}: { kind: openai, base_url: ${upstreamUrl}/v1, model: fake-model, ${more} }\n`;
  const stack = (name: StackName): string =>
    `  - { id: ${name}, account: acme, text: ${name}, image_plan: true, keys: [{ id: code, secret: ${keyOf(name)} }] }\n`;
  return `engines:
  text:
${engine('usual', `context_window: ${WINDOW_TOKENS}`)}
${engine('tight', `context_window: ${TIGHT_WINDOW_TOKENS}`)}
${engine('small', `context_window: ${SMALL_WINDOW_TOKENS}`)}
${engine('seeing', `context_window: ${WINDOW_TOKENS}, vision: true`)}
stacks:
${stack('usual')}${stack('tight')}${stack('small')}${stack('seeing')}`;
}
