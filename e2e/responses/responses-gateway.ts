import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { clientKey } from '../clients/client-gateway.ts';
import { planFor } from '../clients/scenarios.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { WorkFolder } from '../work-folder.ts';
import { CodexModel } from './codex/codex-model.ts';

/** Whether responses are stored, so that clients can refer to them. */
export const KEEPS_RESPONSES: boolean = true;

const WINDOW_TOKENS = 131_072;
/** Smaller than Codex's first prompt and its answer. */
const SMALL_WINDOW_TOKENS = 18_000;

/** The key of a stack whose window is too small for Codex. */
export const smallKey = 'a-key-for-a-small-window';

/** A gateway with a scripted model, for all clients of the responses format; disposing stops both. */
export class ResponsesGateway implements AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly process: GatewayProcess;

  private constructor(upstream: FakeUpstream, process: GatewayProcess) {
    this.upstream = upstream;
    this.process = process;
  }

  static async start(): Promise<ResponsesGateway> {
    const upstream = await startFakeUpstream({ contextWindow: WINDOW_TOKENS });
    const codex = new CodexModel();
    upstream.script((request) => codex.planFor(request) ?? planFor(request));
    const folder = await WorkFolder.withDatabase();
    folder.configure(configurationFor(upstream));
    return new ResponsesGateway(upstream, await startGateway(folder));
  }

  get url(): string {
    return this.process.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.upstream.close();
    this.process.folder[Symbol.dispose]();
  }
}

function configurationFor({ url, model }: FakeUpstream): string {
  const engine = `{ kind: openai, base_url: "${url}/v1", model: ${model}`;
  return `
engines:
  text:
    usual: ${engine}, context_window: ${WINDOW_TOKENS} }
    small: ${engine}, context_window: ${SMALL_WINDOW_TOKENS} }
stacks:
  - { id: shop, account: acme, text: usual, models: [org/model-x, other], keys: [{ id: web, secret: ${clientKey} }] }
  - { id: small, account: acme, text: small, models: [org/model-x], keys: [{ id: web, secret: ${smallKey} }] }
`;
}
