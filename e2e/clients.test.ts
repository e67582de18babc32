import { afterAll, beforeAll, describe, it } from 'vitest';
import { ClientGateway } from './clients/client-gateway.ts';
import { describeChat } from './clients/describe-chat.ts';
import { describeDoctor } from './clients/describe-doctor.ts';
import { describeEmbeddings } from './clients/describe-embeddings.ts';
import { describeFiles } from './clients/describe-files.ts';
import { describeFrameworks } from './clients/describe-frameworks.ts';
import { describeImages } from './clients/describe-images.ts';
import { describeMessages } from './clients/describe-messages.ts';
import { describeModels } from './clients/describe-models.ts';
import { installClients } from './clients/install-clients.ts';

// One file, so that one gateway serves all clients.
describe('clients', async () => {
  let gateway: ClientGateway;

  beforeAll(async () => {
    gateway = await ClientGateway.start();
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
  });

  const clients = await installClients();
  if (clients === undefined) it.skip('SDKs are not available on this machine');
  else {
    const world = { clients, url: () => gateway.url };
    await describeChat(world, () => gateway);
    await describeMessages(world, () => gateway);
    await describeModels(world);
    await describeImages(world, () => gateway);
    await describeEmbeddings(world);
    await describeFiles(world);
    await describeFrameworks(world);
  }
  describeDoctor(() => gateway);
});
