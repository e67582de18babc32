import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginWaiting, describeCodex, type WaitingCodex } from './responses/codex/describe-codex.ts';
import { installCodex } from './responses/codex/install-codex.ts';
import { describePython } from './responses/describe-python.ts';
import { describeSdks } from './responses/describe-sdks.ts';
import { ResponsesGateway } from './responses/responses-gateway.ts';

// One file, so that one gateway serves all clients.
describe('clients of the responses format', async () => {
  const codex = await installCodex();
  let gateway: ResponsesGateway;
  let waiting: WaitingCodex | undefined;

  beforeAll(async () => {
    gateway = await ResponsesGateway.start();
    waiting = codex === undefined ? undefined : beginWaiting(codex, gateway);
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
  });

  await describeSdks(() => gateway);
  await describePython(() => gateway);
  describeCodex(codex, () => waiting);

  it('leave nothing behind in the gateway', async () => {
    expect(gateway.upstream.activeRequests).toBe(0);
    // The request for the metrics is the one.
    expect(await gateway.process.inFlight()).toBe(1);
  });
});
