import * as z from 'zod';
import { serveRequests } from '../../../supervision/serve-requests.ts';
import { encoderFolder, readEncoderWeights, readWordPieces } from './encoder-weights.ts';
import { SentenceEncoder } from './sentence-encoder.ts';

const textsSchema = z.array(z.string());

// Child process that embeds texts, one request at a time.
await serveRequests(async () => {
  const folder = encoderFolder();
  const encoder = await SentenceEncoder.open(await readEncoderWeights(folder), await readWordPieces(folder));
  return { handle: (texts) => encoder.encode(textsSchema.parse(texts)) };
});
