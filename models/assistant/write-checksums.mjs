// Writes checksums.json for the adapter: node models/assistant/write-checksums.mjs [<folder>]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder = fileURLToPath(new URL('.', import.meta.url))] = process.argv.slice(2);
const files = {};
for (const name of ['assistant.gguf']) {
  const content = readFileSync(join(folder, name));
  files[name] = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
writeFileSync(join(folder, 'checksums.json'), `${JSON.stringify({ files }, null, 2)}\n`);
