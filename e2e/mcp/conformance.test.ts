import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/faults/fault.ts';
import { type McpTool, tool } from '../../src/mcp/tool.ts';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { cachedInstall } from '../cached-install.ts';
import { newerNode } from '../newer-node/newer-node.ts';

const run = promisify(execFile);
const boundMs = 60_000;
const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** The scenarios of the official runner that concern a server with tools, by the version of the protocol. */
const SCENARIOS = {
  '2025-06-18': ['server-initialize', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
  '2025-11-25': ['tools-call-with-progress'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-error',
    'tools-call-with-progress',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
} as const;

/** They need prompts, or tools that ask the client for something or write to its log: the gateway has none. */
const EXPECTED_FAILURES: Readonly<Record<string, readonly string[]>> = {
  caching: ['PromptsListCachingHints'],
  'server-stateless': [
    'ServerRejectsUndeclaredCapability',
    'MissingCapabilityHttp400',
    'HttpServerNoIndependentRequestsOnStream',
    'ServerNoLogWithoutLogLevel',
  ],
};

/** The tools that the runner calls. */
const tools: readonly McpTool[] = [
  scripted('test_simple_text', async () => ({ text: 'This is a simple text response for testing.' })),
  scripted('test_image_content', async () => ({
    text: 'A picture.',
    picture: { bytes: makePng({ width: 8, height: 8 }), mediaType: 'image/png' },
  })),
  scripted('test_error_handling', async () => {
    throw new Fault('engine-failed', 'This tool intentionally returns an error for testing');
  }),
  scripted('test_tool_with_progress', async () => {
    await setTimeout(200);
    return { text: 'done' };
  }),
];

function scripted(name: string, call: McpTool['call']): McpTool {
  return tool({
    name,
    title: name,
    description: 'A tool of the conformance runner.',
    input: z.object({}),
    isReadOnly: true,
    scope: 'mcp',
    isForReaders: true,
    isOffered: () => true,
    call,
  });
}

describe('the official conformance runner', async () => {
  const node = await newerNode();
  const folder = dirname(fileURLToPath(import.meta.url));
  const installed = await cachedInstall({
    folder,
    name: 'mcp-conformance',
    lastFile: program,
    npmArguments: [],
  });
  if (node === undefined || installed === undefined) {
    it.skip('is not available on this machine');
    return;
  }
  let gateway: HttpGateway;
  let front: ReturnType<typeof frontWithKey>;
  beforeAll(async () => {
    gateway = await HttpGateway.start({ tools, progressMs: 50 });
    front = frontWithKey(gateway);
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    front.closeAllConnections();
    front.close();
    await gateway[Symbol.asyncDispose]();
  });

  const cases = Object.entries(SCENARIOS).flatMap(([version, names]) =>
    names.map((name) => ({ version, name })),
  );
  it.each(cases)(
    'is content with $name of $version',
    async ({ version, name }) => {
      const url = `http://localhost:${(front.address() as AddressInfo).port}/mcp`;
      const options = ['server', '--url', url, '--scenario', name, '--spec-version', version];
      const told = await run(node, [join(installed, program), ...options], { timeout: boundMs }).catch(
        (error: { readonly stdout: string; readonly stderr: string }) => error,
      );
      expect(told.stdout).toMatch(/Passed: \d+\/\d+/);
      expect(failedChecks(told.stdout)).toEqual(EXPECTED_FAILURES[name] ?? []);
    },
    boundMs,
  );
});

/** The names in the runner's list of failures. */
function failedChecks(output: string): readonly string[] {
  const [, list = ''] = output.split('=== Failed Checks ===');
  return [...list.matchAll(/^ {2}- (\w+):/gm)].map(([, name = '']) => name);
}

/** The runner sends no key, so this adds it. */
function frontWithKey(gateway: HttpGateway) {
  return createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${goodKey}` };
    const { method, url: path } = incoming;
    const onward = request({ host: '127.0.0.1', port: gateway.port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 0, answered.headers);
      answered.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
}
