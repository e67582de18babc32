import { expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import { SqlUsage } from '../store/sql-usage.ts';

describeOnDatabase('stackgate usage', (database) => {
  const run = (...argv: readonly string[]) =>
    runCli(['usage', ...argv], { withDatabase: (_config, work) => work(database().pool) });
  const fill = () =>
    new SqlUsage(database().pool).add({
      process: 'one',
      sequence: 1,
      rows: [
        usageRow({ promptTokens: 10, gone: 1 }),
        usageRow({ key: 'app', endpoint: '/v1/models', model: '' }),
        usageRow({ account: 'other', stack: 'zoo', day: '2026-11-01', serverErrors: 1 }),
      ],
    });
  const days = ['--since', '2026-11-01', '--until', '2026-11-30'];

  it('shows a table by what is asked for', async () => {
    await fill();
    const { code, out } = await run('--by', 'stack,key', ...days);
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.split(/ +/));
    expect(lines[0]?.slice(0, 4)).toEqual(['STACK', 'KEY', 'REQUESTS', 'PROMPT_TOKENS']);
    expect(lines.slice(1, 4).map((line) => line.slice(0, 4))).toEqual([
      ['shop', 'app', '1', '0'],
      ['shop', 'web', '1', '10'],
      ['zoo', 'web', '1', '0'],
    ]);
  });

  it('writes CSV', async () => {
    await fill();
    const { out } = await run('--by', 'day,account', ...days, '--format', 'csv');
    expect(out).toBe(
      'day,account,requests,prompt_tokens,completion_tokens,pages,images,pdf_pages,client_errors,limit_errors,server_errors,gone,mean_ms,p95_ms,max_ms,cost\r\n' +
        '2026-11-01,other,1,0,0,0,0,0,0,0,1,0,7,6.9,7,0\r\n' +
        '2026-11-16,acme,2,10,0,0,0,0,0,0,0,1,7,6.9,7,0\r\n',
    );
  });

  it.each([['--format', 'json'], ['--json']])('writes JSON: %s %s', async (...flags) => {
    await fill();
    const { out } = await run('--by', 'model', '--account', 'acme', ...days, ...flags);
    expect(JSON.parse(out)).toMatchObject([
      { model: '', requests: 1 },
      { model: 'tiny', requests: 1, prompt_tokens: 10, errors: { gone: 1 } },
    ]);
  });

  it('keeps to a stack', async () => {
    await fill();
    const { out } = await run('--by', 'endpoint', '--stack', 'shop', ...days, '--format', 'json');
    expect(JSON.parse(out).map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/v1/chat/completions',
      '/v1/models',
    ]);
  });

  it('says that there is nothing', async () => {
    expect((await run()).out).toBe('(none)\n');
    expect((await run('--format', 'csv')).out).toBe('');
  });

  it.each([
    [['--by', 'colour'], 2, 'account, stack, key, endpoint, model, day'],
    [['--since', 'yesterday'], 2, 'a date such as 2026-01-31'],
    [['--format', 'xml'], 2, 'table, csv, json'],
    [['--since', '2026-11-02', '--until', '2026-11-01'], 3, '--since 2026-11-02 is after --until 2026-11-01'],
  ])('refuses %s', async (argv, code, message) => {
    const result = await run(...argv);
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(message)]);
  });
});
