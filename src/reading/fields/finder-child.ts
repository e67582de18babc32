import { serveRequests } from '../../supervision/serve-requests.ts';
import { findRequestSchema } from './finder-messages.ts';
import { readFinderWeights } from './finder-weights.ts';
import { PageReader } from './page-reader.ts';

// The child process of the field finder: a page at a time.
const [folder = ''] = process.argv.slice(2);

await serveRequests(async () => {
  const reader = await PageReader.open(await readFinderWeights(folder));
  return {
    handle(payload, signal) {
      const { words, question } = findRequestSchema.parse(payload);
      return reader.find(words, question, signal);
    },
  };
});
