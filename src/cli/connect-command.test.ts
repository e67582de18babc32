import { expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';

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
  expect(err).toContain('Allowed choices are claude-code, openai, anthropic, langchain');
});
