import { loadClient, outcomeOf, printReport, readTask } from './client-report.mjs';

const task = readTask();
const sdk = loadClient(task);
// The other credential is null, otherwise the client reads it from the environment.
const clientWith = (key) =>
  new sdk.Anthropic({ apiKey: null, authToken: null, [task.credential]: key, baseURL: task.url });
const client = clientWith(task.key);

printReport({
  list: await outcomeOf(sdk, () => list(client)),
  plain: await outcomeOf(sdk, () => retrieve(task.plainModel)),
  slashed: await outcomeOf(sdk, () => retrieve(task.slashedModel)),
  unknown: await outcomeOf(sdk, () => retrieve('no-such-model')),
  wrongKey: await outcomeOf(sdk, () => list(clientWith(task.wrongKey))),
});

async function list(asking) {
  // Clients before 0.33 have no models API, but accept any path.
  if (asking.models === undefined) return { ids: (await asking.get('/v1/models')).data.map(({ id }) => id) };
  const ids = [];
  for await (const model of asking.models.list({ limit: 1 })) ids.push(model.id);
  return { ids };
}

async function retrieve(id) {
  if (client.models !== undefined) {
    const model = await client.models.retrieve(id);
    return { id: model.id, displayName: model.display_name, requestId: model._request_id };
  }
  const path = `/v1/models/${encodeURIComponent(id)}`;
  const { data, response } = await client.get(path).withResponse();
  return { id: data.id, displayName: data.display_name, requestId: response.headers.get('request-id') };
}
