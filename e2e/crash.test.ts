import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runCommand } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const WRITERS = 3;

describe('kill -9 while keys are being created', () => {
  let folder: WorkFolder;
  const secrets: string[] = [];

  beforeAll(async () => {
    folder = await WorkFolder.withDatabase();
  });
  afterAll(() => folder[Symbol.dispose]());

  it.each([1, 2, 3])('round %i: starts at once, and no acknowledged key was lost', async (round) => {
    await using gateway = await startGateway(folder);
    await expectAllWork(gateway, secrets);
    const shown = await createUntilKilled(gateway, round);
    expect(shown.length).toBeGreaterThanOrEqual(1);
    secrets.push(...shown);
  });

  it('leaves a folder that a last start finds whole, down to the key of the first', async () => {
    await using last = await startGateway(folder);
    await expectAllWork(last, [last.key, ...secrets]);
    expect(await last.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Kills the server as soon as one of several keys is acknowledged; returns the secrets that were shown. */
async function createUntilKilled(gateway: GatewayProcess, round: number): Promise<readonly string[]> {
  const create = async (writer: number): Promise<readonly string[]> => {
    const argv = ['keys', 'create', 'default', `key-${round}-${writer}`];
    const { code, stdout, stderr } = await runCommand(gateway.command(argv));
    gateway.signal('SIGKILL');
    if (code === 0) return [stdout.split('\n')[0] ?? ''];
    // A command fails only because the server is gone, and says so in one line.
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^stackgate: [^\n]+\n$/)]);
    return [];
  };
  const shown = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => create(writer)));
  await gateway.exited;
  return shown.flat();
}

async function expectAllWork(gateway: GatewayProcess, secrets: readonly string[]): Promise<void> {
  const statuses = await Promise.all(secrets.map((secret) => gateway.statusFor(secret)));
  expect(statuses).toEqual(secrets.map(() => 200));
}
