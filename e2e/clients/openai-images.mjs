import { createReadStream, readFileSync } from 'node:fs';
import { loadClient, outcomesOf, printReport, readTask } from './client-report.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = new sdk.OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1`, maxRetries: 0 });
const { images } = client;
const picture = readFileSync(task.picture);
const prompt = 'a fox in the snow';

printReport(
  await outcomesOf(sdk, {
    generated: async () => summary(await images.generate({ model: 'any', prompt })),
    chosen: async () =>
      summary(
        await images.generate({
          prompt,
          size: '1536x1024',
          n: 1,
          response_format: 'b64_json',
          seed: 42,
          steps: 2,
        }),
      ),
    fromStream: async () => summary(await edit(createReadStream(task.picture))),
    fromFile: async () => summary(await edit(new File([picture], 'fox.png', { type: 'image/png' }))),
    fromBytes: async () => summary(await edit(await sdk.toFile(picture, 'fox.png'))),
    fromSeveral: async () =>
      summary(
        await edit([
          createReadStream(task.picture),
          await sdk.toFile(picture, 'fox.jpg'),
          createReadStream(task.picture),
        ]),
      ),
    tooMany: () => edit(Array.from({ length: 5 }, () => createReadStream(task.picture))),
    wrongSize: () => images.generate({ prompt, size: '256x256' }),
    wrongModel: () => images.edit({ model: 'gpt-image-1', prompt, image: createReadStream(task.picture) }),
    masked: () =>
      images.edit({ prompt, image: createReadStream(task.picture), mask: createReadStream(task.picture) }),
  }),
);

async function edit(image) {
  return await images.edit({ model: task.model, prompt, image, size: '1024x1536' });
}

/** The picture and the gateway's metadata. */
function summary({ created, data, meta, _request_id: requestId }) {
  const png = Buffer.from(data[0].b64_json, 'base64');
  return {
    isPng: png.subarray(1, 4).toString() === 'PNG',
    size: [png.readUInt32BE(16), png.readUInt32BE(20)],
    isNew: Math.abs(created - Date.now() / 1000) < 120,
    prompt: meta.prompt,
    steps: meta.steps,
    seed: typeof meta.seed,
    hasRequestId: requestId?.startsWith('req_'),
  };
}
