import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonSchema, valueJsonSchema } from '../../src/config/config-json-schema.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { configurationDocs } from './configuration-docs.ts';
import { configurationExample, exampleEnvironment } from './configuration-example.ts';

describe('docs/configuration.md', () => {
  test('is what the schema says', async () => {
    await expect(configurationDocs()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('names every key of the schema', () => {
    const page = configurationDocs();
    const missing = keysOf(valueJsonSchema()).filter((key) => !new RegExp(`[\`.]${key}\``).test(page));
    expect(missing).toEqual([]);
  });

  test('has a sentence for every key', () => {
    const nameless = describedKeys(valueJsonSchema()).filter(
      ([, description]) => !/\.$/.test(description ?? ''),
    );
    expect(nameless).toEqual([]);
  });

  test('may leave the limits of a stack to the table of the plans', () => {
    const root = valueJsonSchema().properties;
    const limits = root?.stacks?.items?.properties?.limits?.properties;
    expect(limits).toBeDefined();
    expect(root?.plans?.properties?.go?.properties).toEqual(limits);
  });

  test('shows an example that is valid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stackgate-docs-'));
    try {
      await writeFile(join(folder, 'stackgate.yaml'), configurationExample);
      const config = await loadConfig({ environment: exampleEnvironment, workingDirectory: folder });
      expect(config.stacks.map(({ id }) => id)).toEqual(['shop', 'research']);
      expect(config.stacks[0]?.keys[0]?.secret?.reveal()).toBe(exampleEnvironment.WEB_KEY);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('shows an example that uses every section', () => {
    const unused = Object.keys(valueJsonSchema().properties ?? {}).filter(
      (key) => !new RegExp(`^${key}:`, 'm').test(configurationExample),
    );
    expect(unused).toEqual([]);
  });
});

function keysOf(schema: JsonSchema): string[] {
  return describedKeys(schema).map(([key]) => key);
}

function describedKeys(schema: JsonSchema): [string, string | undefined][] {
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  const own = Object.entries(schema.properties ?? {}).map(([key, value]): [string, string | undefined] => [
    key,
    value.description,
  ]);
  return [...own, ...inside.flatMap(describedKeys)];
}
