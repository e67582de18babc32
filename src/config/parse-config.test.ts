import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Config } from './config.ts';
import { parseConfig } from './load-config.ts';
import type { Environment } from './process-environment.ts';

function parse(text: string, environment: Environment = {}): Config {
  const file = { name: 'stackgate.yaml', path: '/etc/stackgate.yaml', text };
  return parseConfig({ file, problems: [] }, { environment, workingDirectory: '/' });
}

describe(`\${NAME}`, () => {
  const stack = (prompt: string): string => `stacks: [{ id: a, plan: go, system_prompt: ${prompt} }]`;
  const environment = { NAME: 'fox', EMPTY: '', PORT: '81', FLAG: 'true', BOTH: `\${NAME}` };

  test.each([
    ['stands bare inside brackets', `\${NAME}`, 'fox'],
    ['stands in double quotes', `"a \${NAME} and a \${NAME}"`, 'a fox and a fox'],
    ['stands in single quotes', `'{\${NAME}}'`, '{fox}'],
    ['may be empty', `"\${EMPTY}"`, ''],
    ['is not read twice', `\${BOTH}`, `\${NAME}`],
    ['is escaped by another $', `$\${NAME}`, `\${NAME}`],
    ['is escaped in quotes, whatever follows', `"$\${a-b} $\${"`, `\${a-b} \${`],
    ['leaves other dollars alone', '$5 $NAME $$', '$5 $NAME $$'],
    ['stays a text where a text is wanted', `\${PORT}`, '81'],
  ])('%s', (_, written, read) => {
    expect(parse(stack(written), environment).stacks[0]?.systemPrompt).toBe(read);
  });

  test('becomes a number or a boolean where one is wanted', () => {
    const config = parse(
      `server: { port: \${PORT}, trust_proxy: \${FLAG} }\nplans: { go: { tokens_per_day: \${PORT} } }\nstacks: [{ id: a, plan: go, paused: \${FLAG}, temperature: \${ONE} }]`,
      { ...environment, ONE: '1.5' },
    );
    expect(config.server).toMatchObject({ port: 81, trustProxy: true });
    expect(config.plans.go.tokensPerDay).toBe(81);
    expect(config.stacks[0]).toMatchObject({ paused: true, temperature: 1.5 });
  });

  test('is not looked for in keys and comments', () => {
    expect(parse(`# \${UNSET}\nlog: { level: warn } # \${UNSET}`).log.level).toBe('warn');
    expect(() => parse(`\${UNSET}: 1`)).toThrow(`stackgate.yaml:1: "\${UNSET}": unknown key`);
  });
});

test('every key of the file arrives under its name', () => {
  const config = parse(
    `
telemetry: { otlp_endpoint: "http://t:4318" }
blobs: { url: s3://bucket/p, endpoint: "http://s", region: r, access_key_id: i, secret_access_key: s }
engines:
  text:
    gpu: { kind: openai, base_url: "http://g/v1/", api_key: k, model: m, context_window: 4096 }
    many: { kind: openai, base_urls: ["http://a/v1", "http://b/v1/"], model: m, vision: true, tokenize: probe, timeout_seconds: 5 }
  image:
    flux: { kind: openai-images, base_url: "http://i/v1", model: m }
    forge: { kind: sdapi, base_url: "http://f/", model: m }
  embeddings: { kind: openai, base_url: "http://e/v1", model: m }
plans:
  go:
    { tokens_per_day: 1, requests_per_minute: 2, concurrent_requests: null, context_window: null,
      extraction: { files: 3, document_bytes: 4, pages: 5, image_bytes: 6, megapixels: 7 },
      pdf: { html_bytes: 8, pages: 9 },
      images: { submissions_per_minute: 10, in_flight: 11, rendering: 12, queue_wait_seconds: 13 } }
`,
  );
  expect(config.telemetry.otlpEndpoint).toBe('http://t:4318');
  expect(config.blobs).toMatchObject({
    url: 's3://bucket/p',
    endpoint: 'http://s',
    region: 'r',
    accessKeyId: 'i',
  });
  expect(config.blobs?.secretAccessKey?.reveal()).toBe('s');
  expect(config.engines.text).toMatchObject({
    gpu: {
      baseUrls: ['http://g/v1'],
      contextWindow: 4096,
      vision: false,
      tokenize: 'auto',
      timeoutSeconds: 600,
    },
    many: { baseUrls: ['http://a/v1', 'http://b/v1'], vision: true, tokenize: 'probe', timeoutSeconds: 5 },
  });
  expect(config.engines.text.many).not.toHaveProperty('apiKey');
  expect(config.engines.image).toEqual({
    flux: {
      kind: 'openai-images',
      baseUrl: 'http://i/v1',
      model: 'm',
      timeoutSeconds: 120,
      maxPromptCharacters: 2000,
      maxReferences: 4,
    },
    forge: {
      kind: 'sdapi',
      baseUrl: 'http://f',
      model: 'm',
      timeoutSeconds: 120,
      maxPromptCharacters: 2000,
      maxReferences: 1,
    },
  });
  expect(config.engines.embeddings).toEqual({ kind: 'openai', baseUrl: 'http://e/v1', model: 'm' });
  expect(config.plans.go).toEqual({
    tokensPerDay: 1,
    requestsPerMinute: 2,
    concurrentRequests: null,
    contextWindow: null,
    extraction: { files: 3, documentBytes: 4, pages: 5, imageBytes: 6, megapixels: 7 },
    pdf: { htmlBytes: 8, pages: 9 },
    images: { submissionsPerMinute: 10, inFlight: 11, rendering: 12, queueWaitSeconds: 13 },
  });
});

describe('a declared stack', () => {
  const engines =
    'engines: { text: { z: { kind: llama }, a: { kind: llama } }, image: { y: { kind: diffusion }, b: { kind: diffusion } } }';

  test('uses the first engine of each kind and has no image plan unless it says so', () => {
    const config = parse(`${engines}\nstacks: [{ id: a, plan: go }]`);
    expect(config.usesDefaultStack).toBe(false);
    expect(config.stacks).toEqual([
      {
        id: 'a',
        account: 'default',
        plan: 'go',
        imagePlan: false,
        text: ['z'],
        image: 'y',
        paused: false,
        responses: { store: true },
        limits: { extraction: {}, pdf: {}, images: {} },
        knowledge: [],
        keys: [],
      },
    ]);
  });

  test('has buckets with the access of blobs, or with their own', () => {
    const config = parse(`
blobs: { url: s3://images, endpoint: "http://s3", access_key_id: a, secret_access_key: b }
stacks:
  - id: a
    knowledge: [s3://one/docs/, { url: s3://two, endpoint: "http://other" }, { url: s3://three, region: eu }]`);
    const [one, two, three] = config.stacks[0]?.knowledge ?? [];
    const access = { endpoint: 'http://s3', accessKeyId: 'a', secretAccessKey: expect.anything() };
    expect(one).toEqual({
      kind: 'bucket',
      source: 's3://one/docs',
      bucket: { ...access, url: 's3://one/docs' },
    });
    expect(two).toMatchObject({ bucket: { url: 's3://two', endpoint: 'http://other' } });
    expect(JSON.stringify(two)).not.toContain('accessKeyId');
    expect(three).toMatchObject({ bucket: { ...access, url: 's3://three', region: 'eu' } });
  });

  test.each([
    ['[s3:docs]', 'stacks[0].knowledge[0]: expected the path of a file or folder, or a URL such as'],
    ['[{ url: docs }]', 'stacks[0].knowledge[0].url: expected a URL such as s3://bucket/prefix'],
    ['[{ url: s3://docs, access_key_id: a }]', 'stacks[0].knowledge[0].secret_access_key: missing'],
  ])('does not have the knowledge %s', (knowledge, message) => {
    expect(() => parse(`stacks: [{ id: a, knowledge: ${knowledge} }]`)).toThrow(message);
  });

  test('names one text engine or several', () => {
    const config = parse(
      `${engines}\nstacks: [{ id: a, plan: go, text: a, image: b }, { id: b, plan: go, text: [a, z] }]`,
    );
    expect(config.stacks.map(({ text, image }) => [text, image])).toEqual([
      [['a'], 'b'],
      [['a', 'z'], 'y'],
    ]);
  });

  test.each(['2027-01-01T02:00:00+02:00', '"2027-01-01T00:00:00Z"', '!!timestamp 2027-01-01T00:00:00Z'])(
    'has keys that expire at %s',
    (time) => {
      const config = parse(`stacks: [{ id: a, plan: go, keys: [{ id: k, expires_at: ${time} }] }]`);
      expect(config.stacks[0]?.keys).toEqual([
        {
          id: 'k',
          retrieval: false,
          readOnly: false,
          ownImagesOnly: false,
          limits: {},
          expiresAt: new Date('2027-01-01T00:00:00Z'),
        },
      ]);
    },
  );

  test('has keys with limits of their own', () => {
    const config = parse(
      'stacks: [{ id: a, plan: go, keys: [{ id: k, limits: { requests_per_minute: 60, concurrent_requests: null } }] }]',
    );
    expect(config.stacks[0]?.keys[0]?.limits).toEqual({ requestsPerMinute: 60, concurrentRequests: null });
  });

  test('may share parts by anchor and alias', () => {
    const config = parse(
      'stacks:\n  - { id: a, plan: go, limits: &l { tokens_per_day: 5 } }\n  - { id: b, plan: go, limits: *l }\n',
    );
    expect(config.stacks[1]?.limits.tokensPerDay).toBe(5);
  });
});

const secretive = `
database: { url: "postgres://u:hunter2@h/d" }
blobs: { url: s3://bucket, access_key_id: i, secret_access_key: hunter2 }
engines: { text: { gpu: { kind: openai, base_url: "http://g", model: m, api_key: hunter2 } } }
stacks: [{ id: a, plan: go, keys: [{ id: k, secret: hunter2-hunter2-hunter2 }] }]
`;

test('secrets do not show when the configuration is printed', () => {
  const config = parse(secretive);
  expect(config.stacks[0]?.keys[0]?.secret?.reveal()).toBe('hunter2-hunter2-hunter2');
  expect(JSON.stringify(config)).not.toContain('hunter2');
  expect(inspect(config, { depth: 20, showHidden: true })).not.toContain('hunter2');
  expect(`${config.database?.url} ${config.blobs?.secretAccessKey}`).toBe('[secret] [secret]');
});

test('the configuration is frozen all the way down', () => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) open.push(path);
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
  };
  visit(parse(secretive), 'config');
  expect(open).toEqual([]);
});

test('an engine that is not configured is not found, whatever its name', () => {
  expect(parse('').engines.text.constructor).toBeUndefined();
});
