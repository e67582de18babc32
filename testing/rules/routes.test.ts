import { describe, expect, it } from 'vitest';
import { keyScopes } from '../../src/config/key-scopes.ts';
import { docsPage } from '../../src/http/docs-page.ts';
import { type CallerRoute, isForReaders } from '../../src/http/route.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { defaultStreamTimes, StreamWatch } from '../../src/http/stream-watch.ts';
import { KnowledgeService } from '../../src/knowledge/service/knowledge-service.ts';
import { SchemaService } from '../../src/schema/service/schema-service.ts';
import { HostedTools } from '../../src/text/hosted-tools.ts';
import { adminRouteParts } from '../admin-route-parts.ts';
import { shapes } from '../docs/error-docs.ts';
import { extractionService } from '../documents/extraction-service.ts';
import { fileRouteParts } from '../files/file-route-parts.ts';
import { call } from '../http-call.ts';
import { HttpGateway } from '../http-gateway.ts';
import { imageService } from '../images/image-service.ts';
import { MemoryGallery } from '../images/memory-gallery.ts';
import { FakeEmbeddings } from '../knowledge/fake-embeddings.ts';
import { MemoryKnowledgeStore } from '../knowledge/memory-knowledge-store.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { mcpRouteParts } from '../mcp/mcp-route-parts.ts';
import { fakePdfService } from '../pdf/fake-pdf-engine.ts';
import { isRecord } from '../schema-problems.ts';
import { storageRoom } from '../storage-room.ts';
import { responseSources } from '../text/response-sources.ts';
import { textService } from '../text/text-service.ts';

/** The only routes without a key. */
const OPEN_ROUTES = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /openapi.json', 'GET /docs'];

/** The only routes with a signed link in place of a key. */
const LINK_ROUTES = ['GET /files/:id', 'PUT /files/:id'];

/**
 * The routes of the specification, the one SDKs ask for beside them, limits, the schema doctor, usage, and the knowledge and
 * files of a stack.
 */
const KEY_ROUTES = [
  'GET /v1/models',
  'GET /v1/models/:id',
  'GET /v1/limits',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'POST /v1/responses',
  'POST /v1/responses/input_tokens',
  'GET /v1/responses/:id',
  'DELETE /v1/responses/:id',
  'POST /v1/responses/:id/cancel',
  'GET /v1/responses/:id/input_items',
  'POST /v1/conversations',
  'GET /v1/conversations/:id',
  'POST /v1/conversations/:id',
  'DELETE /v1/conversations/:id',
  'GET /v1/conversations/:id/items',
  'POST /v1/conversations/:id/items',
  'GET /v1/conversations/:id/items/:item',
  'DELETE /v1/conversations/:id/items/:item',
  'POST /v1/embeddings',
  'POST /v1/schemas/check',
  'POST /v1/images/generations',
  'POST /v1/images/edits',
  'POST /v1/documents/extract',
  'POST /v1/images/extract',
  'GET /v1/images',
  'GET /v1/images/:id',
  'DELETE /v1/images/:id',
  'GET /v1/images/:id/meta',
  'GET /v1/images/:id/url',
  'POST /v1/documents/generate',
  'GET /v1/usage',
  'POST /v1/knowledge',
  'GET /v1/knowledge',
  'POST /v1/knowledge/search',
  'GET /v1/knowledge/:id',
  'DELETE /v1/knowledge/:id',
  'POST /v1/files',
  'POST /v1/files/uploads',
  'GET /v1/files',
  'GET /v1/files/:id',
  'DELETE /v1/files/:id',
  'GET /v1/files/:id/content',
  'GET /v1/files/:id/url',
  'POST /mcp',
];

/** The admin API, by its paths under /admin/v1. */
const OPERATOR_ROUTES = [
  'GET /overview',
  'GET /engines',
  'GET /limits',
  'GET /stacks',
  'POST /stacks',
  'GET /stacks/:id',
  'PATCH /stacks/:id',
  'DELETE /stacks/:id',
  'GET /keys',
  'GET /stacks/:id/keys',
  'POST /stacks/:id/keys',
  'GET /stacks/:id/keys/:key',
  'PATCH /stacks/:id/keys/:key',
  'DELETE /stacks/:id/keys/:key',
  'POST /stacks/:id/keys/:key/rotate',
  'GET /usage',
  'GET /requests',
  'GET /images',
  'GET /images/:id',
  'GET /images/:id/content',
  'GET /knowledge',
  'GET /responses',
  'GET /audit',
].map((name) => name.replace(' ', ' /admin/v1'));

const routes = allRoutes({
  operations: { notReady: () => undefined, metrics: async () => '', metricsContentType: 'text/plain' },
  callerLimits: memoryLimits().callerLimits,
  text: textService([]),
  hosted: new HostedTools(textService([]), []),
  responses: responseSources(textService([])),
  watch: new StreamWatch(defaultStreamTimes),
  schemas: new SchemaService(),
  embeddings: new FakeEmbeddings(),
  storage: storageRoom(),
  images: imageService([]),
  gallery: new MemoryGallery(),
  pdf: fakePdfService(),
  extraction: extractionService(),
  usage: { read: async () => [] },
  knowledge: new KnowledgeService({ store: new MemoryKnowledgeStore() }),
  search: { search: async () => [] },
  mcp: mcpRouteParts(),
  ...adminRouteParts(),
  ...fileRouteParts(),
});
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
const described = (name: string) => name.replace(/:(\w+)/g, '{$1}');

describe('every route', () => {
  it('needs a key unless it is on the list', () => {
    expect(routes.filter(({ access }) => access === 'open').map(nameOf)).toEqual(OPEN_ROUTES);
    expect(routes.filter(({ access }) => access === 'key').map(nameOf)).toEqual(KEY_ROUTES);
    expect(routes.filter(({ access }) => access === 'link').map(nameOf)).toEqual(LINK_ROUTES);
    expect(routes.filter(({ access }) => access === 'operator').map(nameOf)).toEqual(OPERATOR_ROUTES);
  });

  it('really asks for the key', async () => {
    await using gateway = await HttpGateway.start();
    for (const { method, path, access } of gateway.routes) {
      const answer = await call(gateway, { method, path: path.replaceAll(/:\w+/g, 'x') });
      expect([nameOf({ method, path }), answer.status]).toEqual([
        nameOf({ method, path }),
        { key: 401, operator: 401, playground: 401, link: 403, visitor: 200, open: 200 }[access],
      ]);
    }
  });

  it('stands in docs/errors.md beside the body that its family gives', () => {
    for (const { family, path, access } of routes) {
      const shape = shapes.find((candidate) => candidate.family === family);
      if (access !== 'open') expect(shape?.text).toContain(`\`${described(path)}\``);
    }
  });

  it('asks for the image plan where images are made', () => {
    const onPlan = routes.filter((route) => route.access === 'key' && route.imagePlan === true);
    expect(onPlan.map(({ path }) => path)).toEqual(['/v1/images/generations', '/v1/images/edits']);
  });

  it('has a scope, and says whether keys that may only read can use it', () => {
    const closed = (route: CallerRoute) => `${route.scope ?? 'link'}: ${nameOf(route)}`;
    const guarded = routes.flatMap((route) =>
      route.access === 'key' || route.access === 'link' ? [route] : [],
    );
    const scopes = guarded.flatMap(({ scope }) => (scope === undefined ? [] : [scope]));
    expect(new Set(scopes)).toEqual(new Set(keyScopes));
    // A POST that neither changes nor costs anything, and the route whose tools say that for themselves.
    const reading = guarded.filter((route) => isForReaders(route) && route.method !== 'GET');
    expect(reading.map(closed)).toEqual([
      'messages: POST /v1/messages/count_tokens',
      'responses: POST /v1/responses/input_tokens',
      'schemas: POST /v1/schemas/check',
      'knowledge: POST /v1/knowledge/search',
      'mcp: POST /mcp',
    ]);
    expect(guarded.filter((route) => route.method === 'GET' && !isForReaders(route))).toEqual([]);
  });

  it('asks for what the key may do with knowledge, where there is knowledge', () => {
    const rights = routes.flatMap((route) =>
      route.access === 'key' && route.path.startsWith('/v1/knowledge')
        ? [[route.method, route.knowledge]]
        : [],
    );
    expect(rights).toEqual([
      ['POST', 'write'],
      ['GET', 'read'],
      ['POST', 'read'],
      ['GET', 'read'],
      ['DELETE', 'write'],
    ]);
  });
});

describe('/openapi.json', () => {
  it('describes every route and no other', async () => {
    const paths = Object.entries((await servedDocument()).paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(paths.sort()).toEqual(
      [...KEY_ROUTES, ...LINK_ROUTES, ...OPEN_ROUTES, ...OPERATOR_ROUTES].map(described).sort(),
    );
  });

  it('names every operation once, with its parameters, its key and its answers', async () => {
    const { paths } = await servedDocument();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, parameters, security, responses } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
      const needsKey = /^\/(?:v1|admin)\//.test(path) || path === '/mcp';
      expect(security.length > 0).toBe(needsKey);
      expect(needsKey === '401' in responses).toBe(true);
      expect(Object.keys(responses)).toContain('500');
    }
  });

  it('refers only to schemas that it has', async () => {
    const document = await servedDocument();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const missing = references.filter(([, name]) => !(String(name) in document.components.schemas));
    expect(references.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

describe('/docs', () => {
  const page = docsPage(routes, '1.2.3');

  it('shows every route', () => {
    for (const { method, path } of routes) {
      expect(page).toContain(`<span class="method">${method}</span> ${described(path)}</h3>`);
    }
  });

  it('loads nothing from elsewhere and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|https?:|@import|url\(|\son\w+=/i);
  });

  it('is served under a policy that holds it to that', async () => {
    await using gateway = await HttpGateway.start();
    const answer = await call(gateway, { path: '/docs' });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';/);
  });
});

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly security: readonly unknown[];
  readonly responses: Record<string, unknown>;
}

async function servedDocument(): Promise<Document> {
  await using gateway = await HttpGateway.start();
  const document: unknown = JSON.parse((await call(gateway, { path: '/openapi.json' })).body);
  if (!isRecord(document) || !isRecord(document.paths)) throw new Error('there are no paths');
  return document as unknown as Document;
}
