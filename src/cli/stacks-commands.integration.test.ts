import { beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { applyDeclaredStacks } from '../admin/declared-stacks.ts';
import type { Config } from '../config/config.ts';

describeOnDatabase('stackgate stacks', (database) => {
  let config: Config;
  beforeEach(() => {
    config = parseTestConfig(`
engines:
  text:
    local: { kind: llama }
    gpu: { kind: openai, base_url: http://127.0.0.1:1/v1, model: qwen }
  image: { painter: { kind: diffusion } }
stacks: [{ id: declared, account: acme, plan: pro }]`);
  });

  it('list shows nothing where there is nothing', async () => {
    expect(await cli('stacks', 'list')).toEqual({ code: 0, out: '(none)\n', err: '' });
    expect((await cli('stacks', 'list', '--json')).out).toBe('[]\n');
  });

  it('create makes a stack and shows it', async () => {
    const { code, out } = await cli(
      ...['stacks', 'create', 'shop', '--account', 'acme', '--plan', 'enterprise', '--image-plan'],
      ...['--text', 'gpu', 'local', '--image', 'painter', '--model', 'a', 'b', '--temperature', '0.5'],
      ...['--system-prompt', 'Two\nlines', '--limit', 'extraction.pages=100', 'requests_per_minute=60'],
      ...['--limit', 'tokens_per_day=null', '--paused'],
    );
    expect(code).toBe(0);
    expect(withoutTimes(out)).toMatchInlineSnapshot(`
      "KEY            VALUE
      id             shop
      account        acme
      plan           enterprise
      image_plan     true
      text           gpu, local
      image          painter
      models         a, b
      system_prompt  Two lines
      temperature    0.5
      paused         true
      responses      {"store":true}
      limits         {"extraction":{"pages":100},"tokens_per_day":null,"requests_per_minute":60}
      budget         -
      declared       false
      disabled_at    -
      created_at     TIME
      "
    `);
  });

  it('list shows all stacks', async () => {
    await applyDeclaredStacks(database().pool, config.stacks);
    await cli('stacks', 'create', 'shop', '--paused');
    await applyDeclaredStacks(database().pool, []);
    const { out } = await cli('stacks', 'list');
    expect(out).toMatchInlineSnapshot(`
      "ID        ACCOUNT  PLAN  IMAGES  TEXT   STATE     OWNER
      declared  acme     pro   no      local  disabled  config file
      shop      shop     go    no      -      paused    operator
      "
    `);
  });

  it('show prints one stack in the words of the configuration file', async () => {
    await cli('stacks', 'create', 'shop', '--limit', 'extraction.document_bytes=5');
    const { out } = await cli('stacks', 'show', 'shop', '--json');
    expect(JSON.parse(out)).toMatchObject({
      id: 'shop',
      account: 'shop',
      plan: 'go',
      image_plan: false,
      text: null,
      limits: { extraction: { document_bytes: 5 } },
      declared: false,
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
    });
  });

  it('set changes what it is told, and nothing else', async () => {
    await cli('stacks', 'create', 'shop', '--plan', 'pro', '--image-plan', '--system-prompt', 'Hello');
    await cli('stacks', 'set', 'shop', '--no-image-plan', '--temperature', '1');
    expect(await show()).toMatchObject({
      plan: 'pro',
      image_plan: false,
      system_prompt: 'Hello',
      temperature: 1,
    });
  });

  it('set puts single limits in and takes them away', async () => {
    await cli('stacks', 'create', 'shop', '--limit', 'extraction.pages=1', 'pdf.pages=2');
    await cli('stacks', 'set', 'shop', '--limit', 'extraction.pages=', '--limit', 'requests_per_minute=9');
    expect(await show()).toMatchObject({ limits: { pdf: { pages: 2 }, requests_per_minute: 9 } });
    await cli('stacks', 'set', 'shop', '--limit', 'pdf.pages=null', 'requests_per_minute=null');
    expect((await show()).limits).toEqual({ requests_per_minute: null });
  });

  it('set goes back to the default for an empty text', async () => {
    await cli(
      'stacks',
      'create',
      'shop',
      '--system-prompt',
      'x',
      '--text',
      'gpu',
      '--image',
      'painter',
      '--model',
      'a',
    );
    await cli('stacks', 'set', 'shop', '--system-prompt', '', '--text', '', '--image', '', '--model', '');
    expect(await show()).toMatchObject({ system_prompt: null, text: null, image: null, models: null });
  });

  it.each<readonly [readonly string[], number, string]>([
    [['show', 'nothing'], 3, 'there is no stack "nothing"; "stackgate stacks list" shows them'],
    [['set', 'nothing', '--plan', 'max'], 3, 'there is no stack "nothing"'],
    [
      ['create', 'Shop'],
      3,
      'a stack id is lower-case letters, digits and "-", at most 63 of them; got "Shop"',
    ],
    [['create', 'shop', '--account', 'A B'], 3, 'an account id is lower-case letters'],
    [['create', 'declared'], 3, 'stack "declared" exists already'],
    [['set', 'declared', '--plan', 'max'], 3, 'declared in the configuration file: change it there'],
    [['create', 'shop', '--text', 'gpuu'], 3, 'no text engine "gpuu"; did you mean "gpu"?'],
    [['create', 'shop', '--image', 'other'], 3, 'no image engine "other"; there are: painter'],
    [['create', 'shop', '--plan', 'gold'], 2, 'Allowed choices are go, pro, max, enterprise'],
    [['create', 'shop', '--temperature', 'hot'], 2, 'It is a number from 0 to 2.'],
    [['create', 'shop', '--limit', 'pages'], 2, 'expected name=value, for example extraction.pages=100'],
    [['create', 'shop', '--limit', 'extraction.pags=1'], 2, 'unknown key, did you mean "pages"?'],
    [['create', 'shop', '--limit', 'extraction.pages=0'], 2, 'expected a whole number of at least 1, got 0'],
    [['create'], 2, "missing required argument 'id'"],
    [['creat', 'shop'], 2, "unknown command 'creat'"],
  ])('%j is refused', async (argv, expectedCode, message) => {
    await applyDeclaredStacks(database().pool, config.stacks);
    const { code, out, err } = await cli('stacks', ...argv);
    expect({ code, out }).toEqual({ code: expectedCode, out: '' });
    expect(err).toContain(message);
    expect((await cli('stacks', 'list', '--json')).out.match(/"id"/g)).toHaveLength(1);
  });

  function cli(...argv: readonly string[]): Promise<CliResult> {
    const { pool } = database();
    return runCli(argv, { loadConfig: async () => config, withDatabase: (_, work) => work(pool) });
  }

  async function show(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse((await cli('stacks', 'show', 'shop', '--json')).out);
  }
});

function withoutTimes(text: string): string {
  return text.replace(/20\d\d-\S+Z/g, 'TIME');
}
