import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { ConfigInvalid } from './config-problem.ts';
import { parseConfig } from './load-config.ts';

const valid = `
server: { port: 1, cors: { origins: [] } }
log: { level: info }
database: { url: "postgres://h/d" }
blobs: { url: s3://bucket }
retention: { images_days: 3 }
telemetry: { otlp_endpoint: null }
engines:
  text: { local: { kind: llama }, gpu: { kind: openai, base_url: "http://h", model: m } }
  image: { painter: { kind: diffusion }, flux: { kind: openai-images, base_url: "http://h", model: m }, f: { kind: sdapi, base_url: "http://h", model: m } }
  ocr: { kind: embedded }
  pdf: { kind: chromium }
  embeddings: { kind: openai, base_url: "http://h", model: m }
plans: { go: { extraction: { files: 1 }, pdf: { pages: 1 }, images: { in_flight: 1 } } }
stacks:
  - { id: a, plan: go, limits: { pdf: { pages: 2 } }, keys: [{ id: k }, { id: l }] }
  - { id: b, plan: max, text: [gpu, local] }
`;

/** Mappings with free keys. */
const freeNames = ['engines.text', 'engines.image'];

function mappingsOf(node: unknown, path: string): { readonly path: string; readonly mapping: YAMLMap }[] {
  if (isSeq(node)) return node.items.flatMap((item, position) => mappingsOf(item, `${path}[${position}]`));
  if (!isMap(node)) return [];
  const inner = node.items.flatMap((pair) =>
    mappingsOf(pair.value, path ? `${path}.${pair.key}` : `${pair.key}`),
  );
  return freeNames.includes(path) ? inner : [{ path, mapping: node }, ...inner];
}

function linesOf(document: Document): { readonly text: string; readonly problems: readonly string[] } {
  const text = document.toString({ lineWidth: 0 });
  try {
    const file = { name: 'f', path: '/f', text };
    parseConfig({ file, problems: [] }, { environment: {}, workingDirectory: '/' });
  } catch (error) {
    if (error instanceof ConfigInvalid) return { text, problems: error.message.split('\n') };
    throw error;
  }
  return { text, problems: [] };
}

test('the file to put keys into is valid', () => {
  expect(linesOf(parseDocument(valid)).problems).toEqual([]);
});

test('an unknown key is reported with its line, wherever it stands', () => {
  const count = mappingsOf(parseDocument(valid).contents, '').length;
  expect(count).toBeGreaterThan(25);
  const property = fc.property(
    fc.nat(count - 1),
    fc.stringMatching(/^[a-z_]{1,12}$/),
    fc.constantFrom(null, 1, 'text', true, ['a'], { b: 1 }),
    fc.nat(),
    (which, letters, value, at) => {
      const document = parseDocument(valid);
      // In block style each key has a line of its own.
      for (const { mapping } of mappingsOf(document.contents, '')) mapping.flow = false;
      const { path, mapping } = mappingsOf(document.contents, '')[which] ?? expect.fail();
      const key = `zz${letters}`;
      mapping.items.splice(at % (mapping.items.length + 1), 0, document.createPair(key, value));
      const { text, problems } = linesOf(document);
      const line = text.split('\n').findIndex((each) => each.includes(`${key}:`)) + 1;
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(`f:${line}: ${path ? `${path}.` : ''}${key}: unknown key`);
    },
  );
  fc.assert(property, { numRuns: 60 });
});
