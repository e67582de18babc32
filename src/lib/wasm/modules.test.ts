import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import initWabt from 'wabt';

const sources = { stringScannerModule: 'string-scanner.wat', dotProductsModule: 'dot-products.wat' };

it('has the bytes that the sources are assembled to', async () => {
  const { parseWat } = await initWabt();
  const lines = Object.entries(sources).map(([name, file]) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    const { buffer } = parseWat(file, source, { simd: true }).toBinary({});
    return `/** ${file}, assembled. */\nexport const ${name} =\n  '${Buffer.from(buffer).toString('base64')}';\n`;
  });
  const head = '// Made by `npm run wasm`.\n// biome-ignore-all format: one line for each.\n\n';
  await expect(head + lines.join('\n')).toMatchFileSnapshot('./modules.ts');
});
