import { Argument, type Command } from 'commander';
import type { Config } from '../config/config.ts';
import { servedModel } from '../config/model-path.ts';
import { clientUrl } from './client-target.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';
import { connectCodex, defaultCataloguePath, KEY_VARIABLE } from './connect-codex.ts';
import { mcpLines } from './connect-mcp.ts';

const clients = ['claude-code', 'codex', 'openai', 'agents', 'anthropic', 'langchain', 'mcp'] as const;
type Client = (typeof clients)[number];

type Environment = Readonly<Record<string, string>>;

const KEY_PLACEHOLDER = '$STACKGATE_KEY';

interface Target {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

interface ConnectOptions {
  readonly url?: string;
  readonly key?: string;
  readonly catalogue: string;
}

/** `stackgate connect`: prints the settings that point a client at this server. */
export function addConnectCommand(program: Command, context: CommandContext): void {
  program
    .command('connect')
    .description('Print the settings that point a client at this server')
    .addArgument(new Argument('<client>', 'the client').choices(clients))
    .option('--url <address>', 'the address clients use (default: the configured one)')
    .option('--key <key>', 'the API key (default: a placeholder)')
    .option('--catalogue <file>', 'with codex: the model catalogue to write', defaultCataloguePath())
    .addHelpText('after', '\nExample:\n  stackgate connect claude-code --key "$(cat data/default-key)"')
    .action(async (client: Client, options: ConnectOptions, command: Command) => {
      const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
      const target = {
        url: clientUrl(config, options.url),
        key: options.key ?? KEY_PLACEHOLDER,
        model: firstModel(config),
      };
      const environment = environmentOf(client, target);
      if (client === 'codex') {
        const { data, text } = await connectCodex(config, target, options.catalogue);
        report(context, command, {
          data: { client, ...environment, ...data },
          text: `${exportsOf(environment)}\n${text}`,
        });
        return;
      }
      const text = textFor(client, target, environment);
      report(context, command, { data: { client, ...environment }, text });
    });
}

function firstModel(config: Config): string {
  const stack = config.stacks[0];
  const engine = config.engines.text[stack?.text[0] ?? Object.keys(config.engines.text)[0] ?? ''];
  return stack?.models?.[0] ?? (engine === undefined ? 'MODEL' : servedModel(engine));
}

/** Environment variables of the client. */
function environmentOf(client: Client, { url, key, model }: Target): Environment {
  switch (client) {
    case 'claude-code':
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        // Our limit; by default Claude Code asks for more and relies on it.
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '16000',
        // Disables probes of the vendor's paths, which we do not serve.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      };
    case 'anthropic':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
    case 'codex':
    case 'mcp':
      return { [KEY_VARIABLE]: key };
    case 'agents':
      return {
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_KEY: key,
        // Traces contain the conversation, and go to the vendor by default.
        OPENAI_AGENTS_DISABLE_TRACING: '1',
      };
    case 'openai':
    case 'langchain':
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key };
  }
}

/** A variable that would make the client send a second key, which is rejected. */
const rivals: Readonly<Partial<Record<Client, string>>> = {
  'claude-code': 'ANTHROPIC_API_KEY',
  anthropic: 'ANTHROPIC_AUTH_TOKEN',
};

function textFor(client: Exclude<Client, 'codex'>, target: Target, environment: Environment): string {
  const rival = rivals[client];
  const unset = rival === undefined ? '' : `unset ${rival}\n`;
  return `${exportsOf(environment)}${unset}\n${usage(client, target)}\n`;
}

function exportsOf(environment: Environment): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join('');
}

/** Quotes a value for the shell; the placeholder stays a variable. */
function shellWord(value: string): string {
  if (value === KEY_PLACEHOLDER) return `"${value}"`;
  return /^[\w.:/@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function usage(client: Exclude<Client, 'codex'>, { url, model }: Target): string {
  const name = JSON.stringify(model);
  switch (client) {
    case 'claude-code':
      return '# then, in the same shell:\nclaude';
    case 'anthropic':
      return `// npm install @anthropic-ai/sdk; it reads the variables above
import Anthropic from '@anthropic-ai/sdk';
const message = await new Anthropic().messages.create({
  model: ${name}, max_tokens: 8000, messages: [{ role: 'user', content: 'Hello' }],
});`;
    case 'openai':
      return `// npm install openai; it reads the variables above
import OpenAI from 'openai';
const completion = await new OpenAI().chat.completions.create({
  model: ${name}, messages: [{ role: 'user', content: 'Hello' }],
});`;
    case 'agents':
      return agentsUsage(name);
    case 'mcp':
      return mcpLines(url);
    case 'langchain':
      return `// npm install @langchain/openai; it reads OPENAI_API_KEY
import { ChatOpenAI } from '@langchain/openai';
const chat = new ChatOpenAI({ model: ${name}, configuration: { baseURL: ${JSON.stringify(`${url}/v1`)} } });
const answer = await chat.invoke('Hello');`;
  }
}

function agentsUsage(name: string): string {
  return `// npm install @openai/agents; it reads the variables above
import { Agent, run } from '@openai/agents';
const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', model: ${name} });
const result = await run(agent, 'Hello');

# pip install openai-agents; it reads the variables above
from agents import Agent, OpenAIResponsesModel, Runner
from openai import AsyncOpenAI
model = OpenAIResponsesModel(${name}, AsyncOpenAI())
result = Runner.run_sync(Agent(name="Helper", instructions="Be brief.", model=model), "Hello")`;
}
