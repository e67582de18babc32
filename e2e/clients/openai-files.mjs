import { loadClient, outcomeOf, printReport, readTask } from './client-report.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = new sdk.OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1`, maxRetries: 0 });
const toFile = sdk.toFile ?? sdk.OpenAI.toFile;

printReport(await outcomeOf(sdk, useFiles));

async function useFiles() {
  const made = [];
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    const file = await toFile(Buffer.from(`content of ${name}`), name);
    made.push(await client.files.create({ file, purpose: 'user_data' }));
  }
  const [first] = made;
  const listed = [];
  for await (const { id } of client.files.list({ limit: 2 })) listed.push(id);
  const content = await (await client.files.content(first.id)).text();
  const found = await client.files.retrieve(first.id);
  const chat = await client.chat.completions.create({
    model: task.plainModel,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Say hello' },
          { type: 'file', file: { file_id: first.id } },
        ],
      },
    ],
  });
  const removed = [];
  for await (const { id } of client.files.list({ limit: 2, order: 'asc' })) {
    removed.push((await (client.files.delete ?? client.files.del).call(client.files, id)).deleted);
  }
  return {
    made: made.map(({ object, filename, bytes, purpose }) => ({ object, filename, bytes, purpose })),
    isSame: JSON.stringify(found) === JSON.stringify(first),
    isNewestFirst: JSON.stringify(listed) === JSON.stringify(made.map(({ id }) => id).reverse()),
    content,
    chat: typeof chat.choices[0]?.message.content,
    removed,
    gone: await outcomeOf(sdk, () => client.files.retrieve(first.id)),
  };
}
