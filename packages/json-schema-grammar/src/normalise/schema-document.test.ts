import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../terms/json.ts';
import { SchemaDocument } from './schema-document.ts';

function resolved(document: JsonObject, reference: string, from: JsonObject = document) {
  return new SchemaDocument(document).resolve({ uri: reference, keyword: '$ref', from, path: '/here' });
}

describe('a reference', () => {
  const text = { type: 'string' };
  const far = { $id: 'https://example.test/far', $defs: { text, near: { $ref: '#/$defs/text' } } };

  it.each<[string, JsonObject, string, string]>([
    ['by a pointer', { $defs: { text } }, '#/$defs/text', '/$defs/text'],
    [
      'by a pointer with escapes',
      { $defs: { 'a/b~c %': text } },
      '#/$defs/a~1b~0c%20%25',
      '/$defs/a~1b~0c %',
    ],
    ['into a list', { prefixItems: [true, text] }, '#/prefixItems/1', '/prefixItems/1'],
    ['by an anchor', { $defs: { x: { $anchor: 'me', ...text } } }, '#me', '/$defs/x'],
    ['by the id of draft 4', { definitions: { x: { id: '#me', ...text } } }, '#me', '/definitions/x'],
    ['by the id of another schema', { $defs: { far } }, 'https://example.test/far', '/$defs/far'],
    [
      'below the id of another schema',
      { $defs: { far } },
      'https://example.test/far#/$defs/text',
      '/$defs/far/$defs/text',
    ],
    ['to the whole', { properties: { a: { $ref: '#' } } }, '#', ''],
  ])('%s is found, and told by its place in the document', (_how, document, reference, path) => {
    expect(resolved(document, reference).path).toBe(path);
  });

  it('begins at the id that it stands below', () => {
    const document = { $defs: { far, text: { type: 'number' } } };
    expect(resolved(document, '#/$defs/text', far.$defs.near).schema).toBe(text);
    expect(resolved(document, '#/$defs/text').schema).toBe(document.$defs.text);
  });

  it('is not led astray by data that looks like schemas', () => {
    const document = { const: { $id: 'https://example.test/x' }, enum: [{ $anchor: 'x' }] };
    expect(() => resolved(document, 'https://example.test/x')).toThrow('leads out of the schema');
    expect(() => resolved(document, '#x')).toThrow('leads nowhere');
  });

  it.each([
    ['https://example.test/other.json', 'remote-reference'],
    ['other.json#/$defs/a', 'remote-reference'],
    ['#/$defs/missing', 'invalid'],
    ['#/$defs/__proto__', 'invalid'],
    ['#missing', 'invalid'],
  ])('%s is refused as %s, at its place', (reference, reason) => {
    const failed = () => resolved({ $defs: {} }, reference);
    expect(failed).toThrow(expect.objectContaining({ name: 'SchemaRefused', reason, path: '/here' }));
  });
});

describe('a dynamic reference', () => {
  const inner = { $id: 'https://example.test/tree', $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } };
  const follow = (document: JsonObject) =>
    new SchemaDocument(document).resolve({
      uri: '#node',
      keyword: '$dynamicRef',
      from: inner.items,
      path: '',
    });

  it('leads to the outermost schema with the anchor', () => {
    const document = { $dynamicAnchor: 'node', $ref: 'https://example.test/tree', $defs: { inner } };
    expect(follow(document)).toMatchObject({ path: '' });
  });

  it('leads to the one at hand where the root has none, which is uncertain where there are several', () => {
    expect(follow({ $defs: { inner } })).toEqual({ schema: inner, path: '/$defs/inner' });
    const other = { $id: 'https://example.test/other', $dynamicAnchor: 'node' };
    expect(follow({ $defs: { inner, other } })).toMatchObject({ path: '/$defs/inner', isUncertain: true });
  });
});
