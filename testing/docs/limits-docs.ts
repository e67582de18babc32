import { type PlanLimits, planTable } from '../../src/access/plan-limits.ts';
import { MAX_SUSPECTS_PER_ADDRESS } from '../../src/access/suspect-queue.ts';
import { WRONG_KEYS_PER_MINUTE } from '../../src/access/wrong-keys.ts';
import { MAX_SCHEMA_BYTES } from '../../src/documents/target-schema.ts';
import { MAX_FORM_PARTS } from '../../src/http/form-sink.ts';
import { defaultConnectionLimits } from '../../src/http/node-server.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../src/http/parse-json.ts';
import { MAX_REFUSED_CONNECTIONS } from '../../src/http/refused-connections.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { defaultStreamTimes, StreamWatch } from '../../src/http/stream-watch.ts';
import { KnowledgeService } from '../../src/knowledge/service/knowledge-service.ts';
import { MAX_FORM_FIELD_BYTES } from '../../src/lib/form.ts';
import { SchemaService } from '../../src/schema/service/schema-service.ts';
import { HostedTools } from '../../src/text/hosted-tools.ts';
import { adminRouteParts } from '../admin-route-parts.ts';
import { extractionService } from '../documents/extraction-service.ts';
import { fileRouteParts } from '../files/file-route-parts.ts';
import { imageService } from '../images/image-service.ts';
import { MemoryGallery } from '../images/memory-gallery.ts';
import { FakeEmbeddings } from '../knowledge/fake-embeddings.ts';
import { MemoryKnowledgeStore } from '../knowledge/memory-knowledge-store.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { mcpRouteParts } from '../mcp/mcp-route-parts.ts';
import { fakePdfService } from '../pdf/fake-pdf-engine.ts';
import { storageRoom } from '../storage-room.ts';
import { responseSources } from '../text/response-sources.ts';
import { textService } from '../text/text-service.ts';
import { alignTable, type Row } from './align-table.ts';

/** The text of docs/limits.md, made from the plan table, the routes and the server's limits. */
export function limitsDocs(): string {
  return [
    introduction,
    `## Plans\n\nA stack has the limits of its plan, except those it sets itself; Enterprise has the limits of Max, except those it sets. Change the numbers of a plan under \`plans\`, or those of one stack under its \`limits\`; [configuration.md](configuration.md) has the keys.`,
    alignTable([['Limit', ...Object.keys(planTable).map(capitalised)], ...planRows.map(planRow)]),
    '## Bodies\n\nThe largest body in bytes. Extraction has room for the files of the plan, and knowledge for a document of 50,000,000 bytes; both have 1 MiB for the rest of the form.',
    alignTable([['Route', ...Object.keys(planTable).map(capitalised)], ...bodyRows()]),
    `A JSON body may nest ${MAX_JSON_DEPTH} levels deep (400 beyond it) and hold ${grouped(MAX_JSON_VALUES)} values (413 beyond it). It may not be compressed.`,
    `A form may have ${grouped(MAX_FORM_PARTS)} parts, files and texts together (400 beyond it). Of a text ${MAX_FORM_FIELD_BYTES / MIB} MiB are kept. On extraction a longer \`schema\`, \`system\` or \`user\` is 413; a \`schema\` is that already over ${grouped(MAX_SCHEMA_BYTES)} bytes. The prompt of an image is cut.`,
    counted,
    '## Connections\n\nThese are the same for all clients. `server.max_connections` and `server.max_connections_per_address` set the two numbers of connections; an IPv6 address stands for its /64. A connection\n' +
      `over them is refused after ${seconds(refusalMs)}; if ${grouped(MAX_REFUSED_CONNECTIONS)} already wait for that, it is closed without an answer.\n\n` +
      'An address with too many wrong keys gets 429 instead of 401 for further wrong keys, and only for those. They wait for their refusal: 200 a second are refused, and addresses take turns. A valid key is served, also from\n' +
      'such an address: at once if the gateway remembers it (10,000 keys, since it started), else within a few tenths of a second.\n' +
      `${grouped(MAX_SUSPECTS_PER_ADDRESS)} requests of an address may wait in this queue, 10,000 in all; more are answered 503.`,
    alignTable([['Limit', 'Value', 'Beyond it'], ...connectionRows]),
  ]
    .join('\n\n')
    .concat('\n');
}

const MIB = 1024 * 1024;

const introduction = `# Limits

<!-- Made from the plan table and the routes by \`npm run docs\`; change the numbers there. -->

A limit includes its number: if 8 MB are allowed, a file of exactly 8 MB passes. MB are 1,000,000 bytes, MiB 1,048,576; a megapixel is 1,000,000 pixels. Limits belong to a stack and all its keys together; a key can have limits of its own. \`GET /v1/limits\` shows a key all of its limits, with what is used and what remains.`;

const counted = `## Requests and tokens

\`requests_per_minute\` and \`concurrent_requests\` apply to every endpoint that takes a key; a stack can have them, and so can each key (\`limits\` of a key, or \`stackgate keys create --requests-per-minute --concurrent-requests\`). A minute is the last 60 seconds. A request that they refuse does not count.

\`tokens_per_day\` is a budget of prompt and answer tokens per UTC day. Chat, messages, extraction, PDF generation by instruction and embeddings spend it; direct PDF and images do not. Counting tokens spends it only if the model must write a token to count, because its server has no tokenizer or the prompt has pictures: that prompt and token are spent once, since counts are remembered. A request reserves what it may cost, its prompt and \`max_tokens\`, and settles with what it used, in every case; it is admitted while used and reserved tokens are under the budget, so one request may go over it. A request that runs over midnight belongs to the day it began in. Over the budget the answer is 429 \`token_budget_exceeded\` with \`Retry-After: 59\` and \`x-should-retry: false\`.

With several replicas on one PostgreSQL, each leases a part of a limit, an eighth of what is free at a time, and returns within seconds what it does not need; so most requests need no query. A limit of requests is never exceeded, a budget by one request per replica. The leases of a replica that died are free after 15 seconds, those of \`requests_per_minute\` after 75. Tokens it used in its last two seconds may be missing from the budget until they are in the usage ledger, which a budget begins with. A request can be refused for up to four seconds because another replica holds more than it needs. If a limit is set and the database is away, requests are served while the lease lasts, and then answered 503.

The metric \`stackgate_token_budget_drift_tokens\` is the difference between what the budgets count and the usage ledger, measured once a minute. Both are written within seconds; only a value that stays is drift.

### Printing

A process has \`engines.pdf.max_in_flight\` print slots (4). One stack may have all but one of them, and only its fair part while other stacks print; a single slot is for any stack. Requests do not wait for a slot: if none is free, the answer is 429 with \`Retry-After\`. A slot is taken when printing begins; a model that writes HTML is bounded as a chat is ([pdf.md](pdf.md#slots)).

### Storage

\`storage_bytes\` bounds the bytes of images and knowledge documents that a stack has stored; without it there is no bound. Over it the answer is 429 \`storage_quota_exceeded\` with \`x-should-retry: false\`, before any work is done. Expired and deleted images no longer count. An image is painted as long as the stored bytes are under the limit, so one image may go over.

### Headers

If a rate or a budget applies, every answer has headers that show it, refusals and streams too; those of tokens appear once a request has spent some. Of stack and key, the one with less left is shown.

${alignTable([
  ['Family', 'Headers'],
  [
    'Messages',
    '`anthropic-ratelimit-requests-limit`, `-remaining`, `-reset` (RFC 3339); the same with `tokens`',
  ],
  [
    'All others',
    '`x-ratelimit-limit-requests`, `x-ratelimit-remaining-requests`, `x-ratelimit-reset-requests` (such as `1m0s`); the same with `tokens`',
  ],
])}

\`reset\` is when all of it is free again if no further request comes. Reserved tokens count as used. The headers show what this replica knows; \`GET /v1/limits\` queries the database.`;

const planRows: readonly (readonly [name: string, read: (limits: PlanLimits) => number | null])[] = [
  ['Tokens per day', (limits) => limits.tokensPerDay],
  ['Bytes stored', (limits) => limits.storageBytes],
  ['Requests per minute', (limits) => limits.requestsPerMinute],
  ['Requests at the same time', (limits) => limits.concurrentRequests],
  ['Context window, tokens', (limits) => limits.contextWindow],
  ['Extraction: files per request', ({ extraction }) => extraction.files],
  ['Extraction: bytes of all PDFs', ({ extraction }) => extraction.documentBytes],
  ['Extraction: pages of all PDFs', ({ extraction }) => extraction.pages],
  ['Extraction: bytes of all images', ({ extraction }) => extraction.imageBytes],
  ['Extraction: megapixels of an image', ({ extraction }) => extraction.megapixels],
  ['PDF: bytes of HTML', ({ pdf }) => pdf.htmlBytes],
  ['PDF: pages', ({ pdf }) => pdf.pages],
  ['Images: submissions per minute', ({ images }) => images.submissionsPerMinute],
  ['Images: in flight', ({ images }) => images.inFlight],
  ['Images: rendering at the same time', ({ images }) => images.rendering],
  ['Images: seconds in the queue', ({ images }) => images.queueWaitSeconds],
];

function planRow([name, read]: (typeof planRows)[number]): Row {
  return [name, ...Object.values(planTable).map((limits) => grouped(read(limits)))];
}

function bodyRows(): readonly Row[] {
  const operations = { notReady: () => undefined, metrics: async () => '', metricsContentType: '' };
  const routes = allRoutes({
    operations,
    callerLimits: memoryLimits().callerLimits,
    text: textService([]),
    hosted: new HostedTools(textService([]), []),
    responses: responseSources(textService([])),
    watch: new StreamWatch(defaultStreamTimes),
    schemas: new SchemaService(),
    embeddings: new FakeEmbeddings(),
    search: { search: async () => [] },
    images: imageService([]),
    storage: storageRoom(),
    gallery: new MemoryGallery(),
    pdf: fakePdfService(),
    extraction: extractionService(),
    usage: { read: async () => [] },
    knowledge: new KnowledgeService({ store: new MemoryKnowledgeStore() }),
    mcp: mcpRouteParts(),
    ...adminRouteParts(),
    ...fileRouteParts(),
  });
  return routes.flatMap(({ path, body }) => {
    if (body.kind === 'none') return [];
    return [[`\`${path}\``, ...Object.values(planTable).map((limits) => grouped(body.cap(limits)))]];
  });
}

const {
  headBytes,
  urlBytes,
  headersMs,
  bodyIdleMs,
  requestMs,
  keepAliveMs,
  connections,
  connectionsPerAddress,
  refusalMs,
} = defaultConnectionLimits;
const connectionRows: readonly Row[] = [
  ['Head of a request', `${grouped(headBytes)} bytes`, '431'],
  ['URL', `${grouped(urlBytes)} bytes`, '414'],
  ['Silence before the first request', seconds(2 * headersMs), '408'],
  ['Time for the head', seconds(headersMs), '408'],
  ['Silence while a body arrives', seconds(bodyIdleMs), '408'],
  ['Time for a whole request to arrive', seconds(requestMs), '408'],
  ['Silence between requests', seconds(keepAliveMs), 'closed'],
  ['Connections in all', grouped(connections), '503'],
  ['Connections from one address', grouped(connectionsPerAddress), '503'],
  ['Wrong keys from one address', `${WRONG_KEYS_PER_MINUTE} a minute`, '429'],
];

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function grouped(value: number | null): string {
  return value === null ? 'none' : value.toLocaleString('en-US');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
