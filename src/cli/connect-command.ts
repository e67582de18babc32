import { Argument, type Command } from 'commander';
import type { Config } from '../config/config.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';

const clients = ['claude-code', 'openai', 'anthropic', 'langchain'] as const;
type Client = (typeof clients)[number];

interface Target {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** `stackgate connect`: prints the settings that point a client at this server. */
export function addConnectCommand(program: Command, context: CommandContext): void {
  program
    .command('connect')
    .description('Print the settings that point a client at this server')
    .addArgument(new Argument('<client>', 'the client').choices(clients))
    .option('--url <address>', 'the address clients use (default: the configured one)')
    .option('--key <key>', 'the API key (default: a placeholder)', '$STACKGATE_KEY')
    .addHelpText('after', '\nExample:\n  stackgate connect claude-code --key "$(cat data/default-key)"')
    .action(async (client: Client, options: { url?: string; key: string }, command: Command) => {
      const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
      const target = {
        url: options.url ?? configuredUrl(config),
        key: options.key,
        model: servedModel(config),
      };
      report(context, command, {
        data: { client, ...environmentOf(client, target) },
        text: textFor(client, target),
      });
    });
}

function configuredUrl({ server: { host, port } }: Config): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function servedModel(config: Config): string {
  const stack = config.stacks[0];
  const engine = config.engines.text[stack?.text[0] ?? Object.keys(config.engines.text)[0] ?? ''];
  return stack?.models?.[0] ?? engine?.model ?? 'MODEL';
}

/** The variables that the client's own SDK reads. */
function environmentOf(client: Client, { url, key, model }: Target): Readonly<Record<string, string>> {
  switch (client) {
    case 'claude-code':
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_SMALL_FAST_MODEL: model,
      };
    case 'anthropic':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
    case 'openai':
    case 'langchain':
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key };
  }
}

function textFor(client: Client, target: Target): string {
  const exports = Object.entries(environmentOf(client, target)).map(
    ([name, value]) => `export ${name}="${value}"\n`,
  );
  return `${exports.join('')}\n${usage(client, target)}\n`;
}

function usage(client: Client, { url, model }: Target): string {
  switch (client) {
    case 'claude-code':
      return '# then, in the same shell:\nclaude';
    case 'anthropic':
      return `// npm install @anthropic-ai/sdk; the variables above are read by the SDK
import Anthropic from '@anthropic-ai/sdk';
const message = await new Anthropic().messages.create({
  model: '${model}', max_tokens: 8000, messages: [{ role: 'user', content: 'Hello' }],
});`;
    case 'openai':
      return `// npm install openai; the variables above are read by the SDK
import OpenAI from 'openai';
const completion = await new OpenAI().chat.completions.create({
  model: '${model}', messages: [{ role: 'user', content: 'Hello' }],
});`;
    case 'langchain':
      return `// npm install @langchain/openai
import { ChatOpenAI } from '@langchain/openai';
const chat = new ChatOpenAI({ model: '${model}', configuration: { baseURL: '${url}/v1' } });
const answer = await chat.invoke('Hello');`;
  }
}
