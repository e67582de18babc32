import { describe, expect, test } from 'vitest';
import { configJsonSchema } from './config-json-schema.ts';

describe('the JSON Schema for editors', () => {
  const { properties, additionalProperties, $schema } = configJsonSchema();

  test('knows the keys of the file and no others', () => {
    expect($schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties ?? {})).toEqual([
      'server',
      'data_dir',
      'database',
      'blobs',
      'backups',
      'log',
      'retention',
      'files',
      'extraction',
      'console',
      'telemetry',
      'engines',
      'plans',
      'prices',
      'budgets',
      'stacks',
    ]);
  });

  test('takes a number, or a variable in its place', () => {
    const reference = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' };
    expect(properties?.server?.properties?.port).toEqual({
      description: expect.stringContaining('Port to listen on'),
      default: 8080,
      anyOf: [{ type: 'integer', minimum: 0, maximum: 65535 }, reference],
    });
    expect(properties?.plans?.properties?.go?.properties?.tokens_per_day?.anyOf?.[0]?.anyOf).toContainEqual(
      reference,
    );
    expect(properties?.stacks?.items?.properties?.keys?.items?.properties?.secret?.anyOf).toContainEqual(
      reference,
    );
  });

  test('takes a blank section', () => {
    expect(properties?.server?.type).toEqual(['object', 'null']);
    expect(properties?.stacks?.type).toEqual(['array', 'null']);
  });

  test('is plain JSON', () => {
    const schema = configJsonSchema();
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});
