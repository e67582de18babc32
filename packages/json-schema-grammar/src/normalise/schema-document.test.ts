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
  ])('%s is resolved to its path in the document', (_how, document, reference, path) => {
    expect(resolved(document, reference).path).toBe(path);
  });

  it('is relative to the nearest enclosing $id', () => {
    const document = { $defs: { far, text: { type: 'number' } } };
    expect(resolved(document, '#/$defs/text', far.$defs.near).schema).toBe(text);
    expect(resolved(document, '#/$defs/text').schema).toBe(document.$defs.text);
  });

  it('ignores data that looks like schemas', () => {
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
  ])('%s is refused as %s, with its path', (reference, reason) => {
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

  it('resolves to the outermost schema with the anchor', () => {
    const document = { $dynamicAnchor: 'node', $ref: 'https://example.test/tree', $defs: { inner } };
    expect(follow(document)).toMatchObject({ path: '' });
  });

  it('resolves to the nearest anchor if the root has none, and is uncertain if there are several', () => {
    expect(follow({ $defs: { inner } })).toEqual({ schema: inner, path: '/$defs/inner' });
    const other = { $id: 'https://example.test/other', $dynamicAnchor: 'node' };
    expect(follow({ $defs: { inner, other } })).toMatchObject({ path: '/$defs/inner', isUncertain: true });
  });
});
