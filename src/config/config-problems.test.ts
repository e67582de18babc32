import { describe, expect, test } from 'vitest';
import { ConfigInvalid } from './config-problem.ts';
import { parseConfig } from './load-config.ts';
import type { Environment } from './process-environment.ts';

interface BadFile {
  readonly because: string;
  readonly yaml: string;
  readonly environment?: Environment;
  readonly lines: readonly string[];
}

const long = 'a-secret-of-many-letters';
const idExpected = 'expected 1 to 63 lower-case letters, digits or "-", not beginning with "-"';

const syntax: readonly BadFile[] = [
  {
    because: 'a tab indents',
    yaml: 'server:\n\tport: 1\n',
    lines: ['f.yaml:2: YAML: a tab cannot be used for indentation; use spaces'],
  },
  {
    because: 'a quote is not closed',
    yaml: 'data_dir: "x\n',
    lines: ['f.yaml:2: YAML: something is missing: a closing quote or bracket, a comma or a colon'],
  },
  {
    because: 'there are two documents',
    yaml: 'data_dir: x\n---\ndata_dir: y\n',
    lines: ['f.yaml:2: YAML: expected one document, got a second one (---)'],
  },
  {
    because: 'a tag is unknown',
    yaml: 'data_dir: !env HOME\n',
    lines: ['f.yaml:1: YAML: unknown tag (!name)'],
  },
  {
    because: 'an alias leads nowhere, and its name is not repeated',
    yaml: 'database: { url: *hunter2 }\n',
    lines: ['f.yaml:1: database.url: the alias (*name) has no anchor (&name) before it'],
  },
  {
    because: 'the root is a list',
    yaml: '- server\n',
    lines: ['f.yaml:1: expected a mapping, got a list'],
  },
  {
    because: 'the root is a text',
    yaml: 'server\n',
    lines: ['f.yaml:1: expected a mapping, got a text of 6 characters'],
  },
  {
    because: 'a key is there twice',
    yaml: 'server:\n  port: 1\n  host: h\n  port: 2\n',
    lines: ['f.yaml:4: server.port: the key is here twice, first on line 2'],
  },
];

const values: readonly BadFile[] = [
  {
    because: 'a key is mistyped',
    yaml: 'server:\n  prot: 1\n',
    lines: ['f.yaml:2: server.prot: unknown key, did you mean "port"?'],
  },
  {
    because: 'a key is like no other',
    yaml: 'server: { address: x }\n',
    lines: [
      'f.yaml:1: server.address: unknown key; known here: host, port, trust_proxy, drain_delay_seconds, cors, body_memory, public_url, signing_secret, tls, max_connections, max_connections_per_address, shared_reads',
    ],
  },
  {
    because: 'a key would break the line',
    yaml: '"a\\nb": 1\nlog: { __proto__: 1 }\n',
    lines: [
      'f.yaml:1: "a\\nb": unknown key; known here: server, data_dir, database, blobs, backups, log, retention, files, extraction, console, telemetry, engines, plans, prices, budgets, stacks',
      'f.yaml:2: log.__proto__: unknown key; known here: level, format',
    ],
  },
  {
    because: 'types are wrong',
    yaml: 'server: 5\nlog: [info]\ndata_dir: 7\nretention:\n  images_days: "30"\nstacks: { id: a }\n',
    lines: [
      'f.yaml:1: server: expected a mapping, got a number',
      'f.yaml:2: log: expected a mapping, got a list',
      'f.yaml:3: data_dir: expected the path of a folder, got 7; put it in quotes',
      'f.yaml:5: retention.images_days: expected a whole number from 1 to 36500, got "30"',
      'f.yaml:6: stacks: expected a list, got a mapping',
    ],
  },
  {
    because: 'a quoted number stays a text',
    yaml: 'server: { port: "8080" }\n',
    lines: ['f.yaml:1: server.port: expected a whole number from 0 to 65535, got "8080"'],
  },
  {
    because: 'a value is blank',
    yaml: 'server:\n  host:\n',
    lines: ['f.yaml:2: server.host: expected a host name or an IP address, got nothing'],
  },
  {
    because: 'numbers are out of range',
    yaml: 'server: { port: 65536 }\nretention: { images_days: 0 }\nplans: { go: { pdf: { pages: 1.5 }, tokens_per_day: -1 } }\n',
    lines: [
      'f.yaml:1: server.port: expected a whole number from 0 to 65535, got 65536',
      'f.yaml:2: retention.images_days: expected a whole number from 1 to 36500, got 0',
      'f.yaml:3: plans.go.tokens_per_day: expected a whole number of at least 1, or null, got -1',
      'f.yaml:3: plans.go.pdf.pages: expected a whole number of at least 1, got 1.5',
    ],
  },
  {
    because: 'a word is not one of the known',
    yaml: 'log: { level: inof, format: xml }\n',
    lines: [
      'f.yaml:1: log.level: expected one of trace, debug, info, warn, error, fatal, silent, got "inof"; did you mean "info"?',
      'f.yaml:1: log.format: expected one of json, pretty, got "xml"',
    ],
  },
  {
    because: 'one form of several is meant',
    yaml: 'server:\n  trust_proxy:\n    - 10.0.0.0/8\n    - 10.0.0.0/33\n  cors: { origins: [https://a.example/path] }\n',
    lines: [
      'f.yaml:4: server.trust_proxy[1]: expected an IP address or a range such as 10.0.0.0/8, got "10.0.0.0/33"',
      'f.yaml:5: server.cors.origins[0]: expected an origin such as https://app.example.com, or "*", got "https://a.example/path"',
    ],
  },
  {
    because: 'no form is meant',
    yaml: 'server: { trust_proxy: yes }\n',
    lines: ['f.yaml:1: server.trust_proxy: expected true, false or a list of addresses, got "yes"'],
  },
];

const engines: readonly BadFile[] = [
  {
    because: 'the kind is unknown, absent or no mapping',
    yaml: 'engines:\n  text:\n    a: { kind: lama }\n    b: { model: m }\n    c: llama\n',
    lines: [
      'f.yaml:3: engines.text.a.kind: expected one of llama, openai, got "lama"; did you mean "llama"?',
      'f.yaml:4: engines.text.b.kind: missing, expected one of llama, openai',
      'f.yaml:5: engines.text.c: expected a mapping with the key "kind", got a text of 5 characters',
    ],
  },
  {
    because: 'a kind has its own mistakes',
    yaml: 'engines:\n  text:\n    gpu:\n      kind: openai\n      threads: 2\n      base_url: ftp://h\n',
    lines: [
      'f.yaml:3: engines.text.gpu.model: missing, expected a text that is not empty',
      'f.yaml:5: engines.text.gpu.threads: unknown key; known here: kind, base_url, base_urls, api_key, api_key_file, tls, model, context_window, vision, tokenize, timeout_seconds',
      'f.yaml:6: engines.text.gpu.base_url: expected a URL that begins with http:// or https://, without user name and password, got "ftp://h"',
    ],
  },
  {
    because: 'there are two ways to reach a server, or none',
    yaml: 'engines:\n  text:\n    a: { kind: openai, model: m }\n    b: { kind: openai, model: m, base_url: http://h, base_urls: [http://h] }\n',
    lines: [
      'f.yaml:3: engines.text.a.base_url: missing, expected base_url or base_urls',
      'f.yaml:4: engines.text.b.base_urls: expected either base_url or base_urls, got both',
    ],
  },
  {
    because: 'the name of an engine is not one',
    yaml: 'engines: { image: { 1st: { kind: diffusion } } }\n',
    lines: [
      'f.yaml:1: engines.image.1st: expected a name of 1 to 63 letters, digits, ".", "_" or "-" that begins with a letter, got "1st"',
    ],
  },
];

const stacks: readonly BadFile[] = [
  {
    because: 'names lead nowhere',
    yaml: 'engines:\n  text: { gpu: { kind: llama }, cpu: { kind: llama } }\nstacks:\n  - id: a\n    plan: por\n    text: gpus\n    image: flux\n  - id: b\n    plan: go\n    text: [gpu, other]\n',
    lines: [
      'f.yaml:5: stacks[0].plan: expected one of go, pro, max, enterprise, got "por"; did you mean "pro"?',
      'f.yaml:6: stacks[0].text: no such engine, expected one of gpu, cpu, got "gpus"; did you mean "gpu"?',
      'f.yaml:7: stacks[0].image: no such engine, expected one of painter, got "flux"',
      'f.yaml:10: stacks[1].text[1]: no such engine, expected one of gpu, cpu, got "other"',
    ],
  },
  {
    because: 'things are there twice',
    yaml: `stacks:\n  - id: a\n    plan: go\n    keys:\n      - { id: k, secret: ${long} }\n      - { id: k }\n  - id: a\n    plan: go\n    keys:\n      - { id: k, secret: ${long} }\n`,
    lines: [
      'f.yaml:6: stacks[0].keys[1].id: this key id is already used on line 5',
      'f.yaml:7: stacks[1].id: this stack id is already used on line 2',
      'f.yaml:10: stacks[1].keys[0].secret: this secret is already used on line 5',
    ],
  },
  {
    because: 'required keys are missing',
    yaml: 'stacks:\n  - account: acme\n    keys:\n      - {}\n',
    lines: [
      `f.yaml:2: stacks[0].id: missing, ${idExpected}`,
      `f.yaml:4: stacks[0].keys[0].id: missing, ${idExpected}`,
    ],
  },
  {
    because: 'a key has the id of the key of the playground',
    yaml: 'stacks:\n  - { id: shop, keys: [{ id: console }] }\n',
    lines: [
      'f.yaml:2: stacks[0].keys[0].id: expected another id than "console", which is the key of the playground, got "console"',
    ],
  },
  {
    because: 'ids are malformed',
    yaml: 'stacks:\n  - { id: Shop, plan: go, account: -x }\n',
    lines: [
      `f.yaml:2: stacks[0].id: ${idExpected}, got "Shop"`,
      `f.yaml:2: stacks[0].account: ${idExpected}, got "-x"`,
    ],
  },
  {
    because: 'a time is not one, a temperature too high, a list empty',
    yaml: 'stacks:\n  - id: a\n    plan: go\n    temperature: 2.5\n    models: []\n    keys: [{ id: k, expires_at: tomorrow }]\n',
    lines: [
      'f.yaml:4: stacks[0].temperature: expected a number from 0 to 2, got 2.5',
      'f.yaml:5: stacks[0].models: expected a list with at least one entry, got an empty list',
      'f.yaml:6: stacks[0].keys[0].expires_at: expected a timestamp such as 2027-01-01T00:00:00Z, got "tomorrow"',
    ],
  },
];

const environments: readonly BadFile[] = [
  {
    because: 'variables are not set, wherever they stand',
    yaml: `data_dir: \${A}/\${B}\nserver: { port: \${PORT}, cors: { origins: [\${ORIGIN}] } }\nunknown: \${A}\n`,
    lines: [
      'f.yaml:1: data_dir: the environment variable A is not set',
      'f.yaml:1: data_dir: the environment variable B is not set',
      'f.yaml:2: server.port: the environment variable PORT is not set',
      'f.yaml:2: server.cors.origins[0]: the environment variable ORIGIN is not set',
      'f.yaml:3: unknown: the environment variable A is not set',
      'f.yaml:3: unknown: unknown key; known here: server, data_dir, database, blobs, backups, log, retention, files, extraction, console, telemetry, engines, plans, prices, budgets, stacks',
    ],
  },
  {
    because: 'a reference has no name',
    yaml: `data_dir: \${HOME:-/tmp}\n`,
    lines: [
      `f.yaml:1: data_dir: expected \${NAME} with a variable name, got another "\${"; write $\${ for a plain one`,
    ],
  },
  {
    because: 'a variable is no number',
    yaml: `server: { port: \${PORT} }\n`,
    environment: { PORT: 'hunter2' },
    lines: ['f.yaml:1: server.port: expected a whole number from 0 to 65535, got a text of 7 characters'],
  },
  {
    because: 'variables that win are wrong; they come last',
    yaml: 'nothing: 1\n',
    environment: {
      STACKGATE_PORT: 'abc',
      STACKGATE_HOST: 'a b',
      DATABASE_URL: 'mysql://hunter2',
      STACKGATE_LOG_LEVEL: 'warm',
    },
    lines: [
      'f.yaml:1: nothing: unknown key; known here: server, data_dir, database, blobs, backups, log, retention, files, extraction, console, telemetry, engines, plans, prices, budgets, stacks',
      'environment: STACKGATE_HOST: expected a host name or an IP address, got "a b"',
      'environment: STACKGATE_PORT: expected a whole number from 0 to 65535, got "abc"',
      'environment: DATABASE_URL: expected a URL that begins with postgres:// or postgresql://, got a text of 15 characters',
      'environment: STACKGATE_LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, got "warm"; did you mean "warn"?',
    ],
  },
];

const secrets: readonly BadFile[] = [
  {
    because: 'secrets are wrong',
    yaml: 'database: { url: hunter2 }\nblobs: { url: s3://bucket, secret_access_key: [hunter2] }\nengines: { text: { a: { kind: openai, model: m, base_url: http://user:hunter2@h, api_key: { hunter: 2 } } } }\nstacks: [{ id: a, plan: go, keys: [{ id: k, secret: hunter2 }, hunter2, { id: l, secret: 1234567 }, { id: m, secret: "hunter2 hunter2 hunter2" }] }]\n',
    lines: [
      'f.yaml:1: database.url: expected a URL that begins with postgres:// or postgresql://, got a text of 7 characters',
      'f.yaml:2: blobs.secret_access_key: expected a text that is not empty, got a list',
      'f.yaml:2: blobs.access_key_id: missing, access_key_id and secret_access_key go together',
      'f.yaml:3: engines.text.a.base_url: expected a URL that begins with http:// or https://, without user name and password, got a text of 21 characters',
      'f.yaml:3: engines.text.a.api_key: expected a text that is not empty, got a mapping',
      'f.yaml:4: stacks[0].keys[0].secret: expected 16 to 200 printable ASCII characters without spaces, got a text of 7 characters',
      'f.yaml:4: stacks[0].keys[1]: expected a mapping, got a text of 7 characters',
      'f.yaml:4: stacks[0].keys[2].secret: expected 16 to 200 printable ASCII characters without spaces, got a number; put it in quotes',
      'f.yaml:4: stacks[0].keys[3].secret: expected 16 to 200 printable ASCII characters without spaces, got a text of 23 characters',
    ],
  },
];

const bombs: readonly BadFile[] = [
  {
    because: 'an anchor holds itself',
    yaml: 'server: &a\n  cors: *a\n',
    lines: ['f.yaml:2: server.cors.cors: nested deeper than 32 levels'],
  },
  {
    because: 'aliases multiply',
    yaml: `a: &a [${'x,'.repeat(9)}]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]\n`,
    lines: [expect.stringMatching(/the file uses aliases more than 100 times$/)],
  },
  {
    because: 'brackets never end',
    yaml: `a: ${'['.repeat(20_000)}`,
    lines: [expect.stringMatching(/^f.yaml:1: YAML: /)],
  },
  {
    because: 'there are too many values',
    yaml: `a: [${'1,'.repeat(100_001)}]`,
    lines: [expect.stringMatching(/^f.yaml:1: a\[\d+\]: the file holds more than 100000 values$/)],
  },
];

describe.each([
  ['syntax', syntax],
  ['values', values],
  ['engines', engines],
  ['stacks', stacks],
  ['environment', environments],
  ['secrets', secrets],
  ['bombs', bombs],
])('a file with bad %s is refused', (_, files) => {
  test.each(files)('because $because', ({ yaml, environment = {}, lines }) => {
    const problems = problemsOf(yaml, environment);
    expect(problems).toEqual(lines);
    expect(problems.join()).not.toContain('hunter2');
  });
});

function problemsOf(text: string, environment: Environment): string[] {
  try {
    const file = { name: 'f.yaml', path: '/etc/f.yaml', text };
    parseConfig({ file, problems: [] }, { environment, workingDirectory: '/' });
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.message.split('\n');
    throw error;
  }
  return [];
}
