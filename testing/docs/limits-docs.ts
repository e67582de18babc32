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
import { extractionService } from '../documents/extraction-service.ts';
import { imageService } from '../images/image-service.ts';
import { MemoryGallery } from '../images/memory-gallery.ts';
import { FakeEmbeddings } from '../knowledge/fake-embeddings.ts';
import { MemoryKnowledgeStore } from '../knowledge/memory-knowledge-store.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { fakePdfService } from '../pdf/fake-pdf-engine.ts';
import { storageRoom } from '../storage-room.ts';
import { textService } from '../text/text-service.ts';
import { alignTable, type Row } from './align-table.ts';

/** The text of docs/limits.md, made from the plan table, the routes and the server's limits. */
export function limitsDocs(): string {
  return [
    introduction,
    `## Plans\n\nWhat a stack leaves unset is its plan's; what Enterprise leaves unset is Max's. Change the numbers of a plan under \`plans\`, or those of one stack under its \`limits\`; [configuration.md](configuration.md) has the keys.`,
    alignTable([['Limit', ...Object.keys(planTable).map(capitalised)], ...planRows.map(planRow)]),
    '## Bodies\n\nThe largest body in bytes. Extraction has room for the files of the plan, and knowledge for a document of 50,000,000 bytes; both have 1 MiB for the rest of the form.',
    alignTable([['Route', ...Object.keys(planTable).map(capitalised)], ...bodyRows()]),
    `A JSON body may nest ${MAX_JSON_DEPTH} levels deep (400 beyond it) and hold ${grouped(MAX_JSON_VALUES)} values (413 beyond it). It may not be compressed.`,
    `A form may have ${grouped(MAX_FORM_PARTS)} parts, files and texts together (400 beyond it). Of a text ${MAX_FORM_FIELD_BYTES / MIB} MiB are kept. On extraction a longer \`schema\`, \`system\` or \`user\` is 413; a \`schema\` is that already over ${grouped(MAX_SCHEMA_BYTES)} bytes. The prompt of an image is cut, however long it is.`,
    counted,
    '## Connections\n\nThese are the same for everybody. `server.max_connections` and `server.max_connections_per_address` set the two numbers of connections; an IPv6 address stands for its /64. A connection\n' +
      `over them is told so after ${seconds(refusalMs)}; where ${grouped(MAX_REFUSED_CONNECTIONS)} wait for that already, it is closed without an answer.\n\n` +
      'Over the wrong keys of an address only further wrong keys are refused, with 429 instead of 401. They wait for their refusal: 200 a second are refused, of all addresses in turns. A valid key is served whoever else uses\n' +
      'its address: at once where the gateway remembers it (10,000 keys, since it started), else within a few tenths of a second.\n' +
      `${grouped(MAX_SUSPECTS_PER_ADDRESS)} requests of an address may wait so, 10,000 in all; more are answered 503.`,
    alignTable([['Limit', 'Value', 'Beyond it'], ...connectionRows]),
  ]
    .join('\n\n')
    .concat('\n');
}

const MIB = 1024 * 1024;

const introduction = `# Limits

<!-- Made from the plan table and the routes by \`npm run docs\`; change the numbers there. -->

A limit is met by exactly its number: a file of 8 MB passes where 8 MB are allowed. MB are 1,000,000 bytes, MiB 1,048,576; a megapixel is 1,000,000 pixels. Limits belong to a stack, however many keys it has, except those that a key has of its own. \`GET /v1/limits\` tells a key all of its limits, with what is used and what remains.`;

const counted = `## Requests and tokens

\`requests_per_minute\` and \`concurrent_requests\` hold for every endpoint that takes a key; a stack can have them, and so can each key (\`limits\` of a key, or \`stackgate keys create --requests-per-minute --concurrent-requests\`). A minute is the last 60 seconds. A request that they refuse does not count.

\`tokens_per_day\` is a budget of prompt and answer tokens per UTC day. Chat, messages, extraction, PDF generation by instruction and embeddings spend it; direct PDF and images do not. Counting tokens does only where a model server has no tokenizer to ask, or the prompt has pictures, so that the model has to write a token: that prompt and token are spent, once, for a count is remembered. A request reserves what it may cost, its prompt and \`max_tokens\`, and settles with what it used, however it ends; it is admitted while used and reserved tokens are under the budget, so one request may go over it. What runs over midnight belongs to the day it began in. Over the budget the answer is 429 \`token_budget_exceeded\` with \`Retry-After: 59\` and \`x-should-retry: false\`.

With several replicas on one PostgreSQL, each leases a part of a limit, an eighth of what is free at a time, and gives back within seconds what it does not need; so most requests ask the database nothing. A limit of requests is never exceeded, a budget by one request per replica. What a replica that died had leased comes back after 15 seconds, of \`requests_per_minute\` after 75; of its tokens the last two seconds may be missing from the budget until the usage ledger, which a budget begins with, has them. A request can be refused for up to four seconds because of what another replica holds and no longer needs. Where a limit is set and the database is away, requests are served while the lease lasts, and then answered 503.

The metric \`stackgate_token_budget_drift_tokens\` is the difference between what the budgets count and the usage ledger, measured once a minute. Both are written within seconds; only a value that stays is drift.

### Printing

A process prints \`engines.pdf.max_in_flight\` documents at a time (4), of one stack one less, unless there is only one place, and no more than its share while others print. Nobody waits for a place: over it the answer is 429 with \`Retry-After\`. A place is taken when printing begins; a model that writes HTML is bounded as a chat is ([pdf.md](pdf.md#places)).

### Storage

\`storage_bytes\` is how many bytes of images and knowledge documents a stack may have stored; there is no such limit unless it is set. Over it the answer is 429 \`storage_quota_exceeded\` with \`x-should-retry: false\`, before any work is done. Expired and deleted images no longer count. An image is painted while less is stored than may be, so one image may go over.

### Headers

Where a rate or a budget applies, every answer says how it stands, refusals and streams too, of tokens once a request has spent some; of stack and key the scarcer one counts.

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

\`reset\` is when all of it is there again if no further request comes. Tokens that are reserved count as used. The headers say what this replica knows without asking; \`GET /v1/limits\` asks.`;

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
    watch: new StreamWatch(defaultStreamTimes),
    schemas: new SchemaService(),
    embeddings: new FakeEmbeddings(),
    images: imageService([]),
    storage: storageRoom(),
    gallery: new MemoryGallery(),
    pdf: fakePdfService(),
    extraction: extractionService(),
    usage: { read: async () => [] },
    knowledge: new KnowledgeService({ store: new MemoryKnowledgeStore() }),
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
