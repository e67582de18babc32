import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';

it('points Claude Code at this server', async () => {
  const { code, out } = await runCli(['connect', 'claude-code']);
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "export ANTHROPIC_BASE_URL=http://127.0.0.1:8080
    export ANTHROPIC_AUTH_TOKEN="$STACKGATE_KEY"
    export ANTHROPIC_MODEL=smollm2-135m-instruct
    export CLAUDE_CODE_MAX_OUTPUT_TOKENS=16000
    export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
    unset ANTHROPIC_API_KEY

    # then, in the same shell:
    claude
    "
  `);
});

it('points the OpenAI SDK at this server', async () => {
  expect((await runCli(['connect', 'openai', '--key', 'sk-mine'])).out).toMatchInlineSnapshot(`
    "export OPENAI_BASE_URL=http://127.0.0.1:8080/v1
    export OPENAI_API_KEY=sk-mine

    // npm install openai; it reads the variables above
    import OpenAI from 'openai';
    const completion = await new OpenAI().chat.completions.create({
      model: "smollm2-135m-instruct", messages: [{ role: 'user', content: 'Hello' }],
    });
    "
  `);
});

it('points the Anthropic SDK at this server', async () => {
  const { out } = await runCli(['connect', 'anthropic', '--url', 'https://ai.example.com/']);
  expect(out).toMatchInlineSnapshot(`
    "export ANTHROPIC_BASE_URL=https://ai.example.com
    export ANTHROPIC_API_KEY="$STACKGATE_KEY"
    unset ANTHROPIC_AUTH_TOKEN

    // npm install @anthropic-ai/sdk; it reads the variables above
    import Anthropic from '@anthropic-ai/sdk';
    const message = await new Anthropic().messages.create({
      model: "smollm2-135m-instruct", max_tokens: 8000, messages: [{ role: 'user', content: 'Hello' }],
    });
    "
  `);
});

it('points LangChain at this server', async () => {
  const { out } = await runCli(['connect', 'langchain'], {
    environment: { STACKGATE_HOST: '::', STACKGATE_PORT: '9000' },
  });
  expect(out).toMatchInlineSnapshot(`
    "export OPENAI_BASE_URL=http://127.0.0.1:9000/v1
    export OPENAI_API_KEY="$STACKGATE_KEY"

    // npm install @langchain/openai; it reads OPENAI_API_KEY
    import { ChatOpenAI } from '@langchain/openai';
    const chat = new ChatOpenAI({ model: "smollm2-135m-instruct", configuration: { baseURL: "http://127.0.0.1:9000/v1" } });
    const answer = await chat.invoke('Hello');
    "
  `);
});

it('points both Agents SDKs at this server, without tracing', async () => {
  expect((await runCli(['connect', 'agents'])).out).toMatchInlineSnapshot(`
    "export OPENAI_BASE_URL=http://127.0.0.1:8080/v1
    export OPENAI_API_KEY="$STACKGATE_KEY"
    export OPENAI_AGENTS_DISABLE_TRACING=1

    // npm install @openai/agents; it reads the variables above
    import { Agent, run } from '@openai/agents';
    const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', model: "smollm2-135m-instruct" });
    const result = await run(agent, 'Hello');

    # pip install openai-agents; it reads the variables above
    from agents import Agent, OpenAIResponsesModel, Runner
    from openai import AsyncOpenAI
    model = OpenAIResponsesModel("smollm2-135m-instruct", AsyncOpenAI())
    result = Runner.run_sync(Agent(name="Helper", instructions="Be brief.", model=model), "Hello")
    "
  `);
});

it('prints the lines that add the tools to agents', async () => {
  expect((await runCli(['connect', 'mcp'])).out).toMatchInlineSnapshot(`
    "export STACKGATE_KEY="$STACKGATE_KEY"

    # Claude Code
    claude mcp add --transport http stackgate http://127.0.0.1:8080/mcp --header "Authorization: Bearer $STACKGATE_KEY"

    # Codex, in ~/.codex/config.toml
    [mcp_servers.stackgate]
    url = "http://127.0.0.1:8080/mcp"
    bearer_token_env_var = "STACKGATE_KEY"

    // VS Code, in .vscode/mcp.json
    {"inputs":[{"type":"promptString","id":"key","description":"Key of Stackgate","password":true}],"servers":{"stackgate":{"type":"http","url":"http://127.0.0.1:8080/mcp","headers":{"Authorization":"Bearer \${input:key}"}}}}

    // Cursor, in .cursor/mcp.json
    {"mcpServers":{"stackgate":{"url":"http://127.0.0.1:8080/mcp","headers":{"Authorization":"Bearer \${env:STACKGATE_KEY}"}}}}
    "
  `);
});

it('points Codex at this server, and writes its model catalogue', async () => {
  const { out, catalogue, path } = await connectCodex('context_window: 100000, vision: true');
  expect(out.replace(path, '/home/me/.codex/stackgate-models.json')).toMatchInlineSnapshot(`
    "export STACKGATE_KEY=sk-mine

    # in ~/.codex/config.toml, the first lines above its first table:
    model = "m"
    model_provider = "stackgate"
    model_catalog_json = "/home/me/.codex/stackgate-models.json"
    web_search = "disabled"

    [model_providers.stackgate]
    name = "Stackgate"
    base_url = "http://127.0.0.1:8080/v1"
    wire_api = "responses"
    env_key = "STACKGATE_KEY"
    stream_idle_timeout_ms = 60000
    "
  `);
  expect(catalogue).toEqual({
    models: [
      expect.objectContaining({
        slug: 'm',
        context_window: 100_000,
        // The prompt may have 84,000 tokens beside the answer.
        auto_compact_token_limit: 75_600,
        apply_patch_tool_type: 'freeform',
        input_modalities: ['text', 'image'],
      }),
    ],
  });
});

it('tells Codex the window of the plan if it is the smaller one, and that it is too small', async () => {
  const { out, catalogue } = await connectCodex(
    'context_window: 100000',
    'limits: { context_window: 20000 }',
  );
  expect(catalogue).toMatchObject({ models: [{ context_window: 20_000, input_modalities: ['text'] }] });
  expect(out).toContain('# The context window of 20000 tokens is too small for Codex');
});

it('asks the server for a window that the configuration does not have', async () => {
  await using upstream = await startFakeUpstream({ model: 'm', contextWindow: 54_321 });
  const { catalogue } = await connectCodex('tokenize: vllm', '', `${upstream.url}/v1`);
  expect(catalogue).toMatchObject({ models: [{ context_window: 54_321 }] });
});

it('says what to do where the window cannot be known', async () => {
  const { code, err } = await connectCodex('tokenize: vllm');
  expect(code).toBe(3);
  expect(err).toContain('the context window of the text engine gpu is not known: start its server');
});

it('prints the same settings as JSON', async () => {
  const { out } = await runCli(['connect', 'openai', '--json']);
  expect(JSON.parse(out)).toEqual({
    client: 'openai',
    OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1',
    OPENAI_API_KEY: '$STACKGATE_KEY',
  });
});

it('refuses a client it does not know', async () => {
  const { code, err } = await runCli(['connect', 'openapi']);
  expect(code).toBe(2);
  expect(err).toContain('Allowed choices are claude-code, codex, openai, agents, anthropic, langchain, mcp');
});

/** Runs `connect codex` for a stack on a server. */
async function connectCodex(engine: string, stack = '', url = 'http://127.0.0.1:9/v1') {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-codex-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'new', 'models.json');
  const configured = `engines: { text: { gpu: { kind: openai, base_url: "${url}", model: m, ${engine} } } }
stacks: [{ id: shop, account: acme, text: gpu, keys: [{ id: web, secret: a-long-secret-key }], ${stack} }]`;
  await writeFile(join(folder, 'stackgate.yaml'), configured);
  const result = await runCli(['connect', 'codex', '--key', 'sk-mine', '--catalogue', path], {
    workingDirectory: folder,
  });
  const text = await readFile(path, 'utf8').catch(() => 'null');
  return { ...result, path, catalogue: JSON.parse(text) };
}
