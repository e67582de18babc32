import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientKey } from '../../clients/client-gateway.ts';
import { runCommand } from '../../run-command.ts';
import { hostedKey, type ResponsesGateway, smallKey } from '../responses-gateway.ts';
import { CodexRun } from './codex-run.ts';

const lampServer = fileURLToPath(new URL('lamp-server.mjs', import.meta.url));
const IDLE_MS = 8_000;

interface Case {
  readonly prompt: string;
  readonly key?: string;
  readonly change?: (config: string) => string;
}

const cases = {
  hello: { prompt: 'Codex, hello' },
  command: { prompt: 'Codex, run a command' },
  patch: { prompt: 'Codex, write a file' },
  lamp: { prompt: 'Codex, light the lamp', change: withLamp },
  tools: { prompt: 'Codex, use your tools', key: hostedKey, change: withTools },
  small: { prompt: 'Codex, hello', key: smallKey },
  overloaded: { prompt: 'Codex, try again' },
} as const satisfies Readonly<Record<string, Case>>;

type CaseName = keyof typeof cases;

const silentCase: Case = {
  prompt: 'Codex, be patient',
  change: (config) => config.replace(/stream_idle_timeout_ms = \d+/, `stream_idle_timeout_ms = ${IDLE_MS}`),
};

/** A run of Codex with a model that is silent for half a minute. */
export interface WaitingCodex {
  readonly config: Promise<string>;
  readonly run: Promise<CodexRun>;
}

/** Begins it, so that the tests of other clients pass the time. */
export function beginWaiting(program: string, gateway: ResponsesGateway): WaitingCodex {
  const config = printedConfig(gateway);
  const run = config.then((text) => runCase(program, text, silentCase));
  // Reported by the tests that await it.
  run.catch(() => {});
  return { config, run };
}

function runCase(program: string, config: string, { prompt, key, change }: Case): Promise<CodexRun> {
  return CodexRun.of({ program, config: change?.(config) ?? config, key: key ?? clientKey, prompt });
}

/** Codex, with the settings that `stackgate connect codex` prints. All cases run at once; `waiting` was begun earlier. */
export function describeCodex(program: string | undefined, waiting: () => WaitingCodex | undefined): void {
  describe('Codex', () => {
    if (program === undefined) {
      it.skip('is not available on this machine');
      return;
    }
    let runs: Readonly<Record<CaseName, CodexRun>>;
    let silent: CodexRun;

    beforeAll(async () => {
      const begun = waiting();
      if (begun === undefined) throw new Error('the gateway has not started');
      const config = await begun.config;
      const entries = Object.entries<Case>(cases).map(
        async ([name, order]) => [name, await runCase(program, config, order)] as const,
      );
      runs = Object.fromEntries(await Promise.all(entries)) as Record<CaseName, CodexRun>;
      silent = await begun.run;
    });

    afterAll(() => {
      for (const run of [...Object.values(runs ?? {}), silent]) run?.[Symbol.dispose]();
    });

    it('prints an answer, knows the model, and reads the usage', () => {
      expect(runs.hello.lastMessage).toBe('Hello from behind the gateway.');
      expect(runs.hello.items('error')).toEqual([]);
      expect(runs.hello.end).toMatchObject({
        type: 'turn.completed',
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      });
      expect(runs.hello.items('reasoning')).toMatchObject([{ text: 'They greet me.' }]);
    });

    it('runs a command and hands in its output', () => {
      expect(runs.command.items('command_execution')).toMatchObject([
        { exit_code: 0, aggregated_output: 'made-by-42\n' },
      ]);
      expect(runs.command.lastMessage).toContain('made-by-42');
    });

    it('applies a patch, which the catalogue makes a custom tool', () => {
      expect(runs.patch.items('file_change')).toMatchObject([{ status: 'completed' }]);
      expect(runs.patch.file('note.txt')).toBe('written by a patch\n');
    });

    it('calls a tool of an MCP server by its namespace', () => {
      expect(runs.lamp.items('mcp_tool_call')).toMatchObject([{ server: 'lamp', tool: 'light' }]);
      expect(runs.lamp.lastMessage).toContain('the lamp is red');
    });

    it('paints, prints and extracts by the tools of the gateway', () => {
      const called = runs.tools.items('mcp_tool_call');
      expect(called.map(({ server, tool }) => [server, tool])).toEqual([
        ['stackgate', 'generate_image'],
        ['stackgate', 'generate_pdf'],
        ['stackgate', 'extract_document'],
      ]);
      expect(runs.tools.lastMessage).toMatch(/Image img_\w+, .*seed 7.*PDF file_\w+, 1 page.*"total":12\.5/s);
    });

    it('says that there is no room, without asking again', () => {
      expect(runs.small.end).toMatchObject({
        type: 'turn.failed',
        error: { message: expect.stringContaining("ran out of room in the model's context window") },
      });
    });

    it('asks again when the model server is overloaded', () => {
      expect(runs.overloaded.lastMessage).toBe('Now it works.');
    });

    it('waits for a model that is silent for longer than the idle time-out', () => {
      expect(silent.lastMessage).toBe('Thank you for waiting.');
      expect(silent.items('error')).toEqual([]);
    });
  });
}

async function printedConfig(gateway: ResponsesGateway): Promise<string> {
  const { process, url } = gateway;
  const catalogue = join(process.folder.path, 'codex-models.json');
  const argv = ['--json', 'connect', 'codex', '--url', url, '--catalogue', catalogue];
  const { stdout } = await runCommand(process.command(argv));
  return JSON.parse(stdout).config_toml;
}

function withLamp(config: string): string {
  return `${config}
[mcp_servers.lamp]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(lampServer)}]
`;
}

/** The lines that `stackgate connect mcp` prints for Codex. */
function withTools(config: string): string {
  const [, url = ''] = /base_url = "(.*)\/v1"/.exec(config) ?? [];
  // The stack with an image engine has another model.
  return `${config.replace('model = "org/model-x"', 'model = "other"')}
[mcp_servers.stackgate]
url = "${url}/mcp"
bearer_token_env_var = "STACKGATE_KEY"
`;
}
