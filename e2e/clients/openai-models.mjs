import { loadClient, outcomeOf, printReport, readTask } from './client-report.mjs';

const task = readTask();
const sdk = loadClient(task);
const clientWith = (key) => new sdk.OpenAI({ apiKey: key, baseURL: `${task.url}/v1` });
const client = clientWith(task.key);

printReport({
  list: await outcomeOf(sdk, () => list(client)),
  plain: await outcomeOf(sdk, () => retrieve(task.plainModel)),
  slashed: await outcomeOf(sdk, () => retrieve(task.slashedModel)),
  unknown: await outcomeOf(sdk, () => retrieve('no-such-model')),
  wrongKey: await outcomeOf(sdk, () => list(clientWith(task.wrongKey))),
});

async function list(asking) {
  const ids = [];
  for await (const model of asking.models.list()) ids.push(model.id);
  return { ids };
}

async function retrieve(id) {
  const model = await client.models.retrieve(id);
  return { id: model.id, ownedBy: model.owned_by, requestId: model._request_id };
}
