import { type PlanLimits, planTable } from '../../src/access/plan-limits.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../src/http/json-sink.ts';
import { defaultConnectionLimits } from '../../src/http/node-server.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { SchemaService } from '../../src/schema/service/schema-service.ts';
import { extractionService } from '../documents/extraction-service.ts';
import { imageService } from '../images/image-service.ts';
import { MemoryGallery } from '../images/memory-gallery.ts';
import { fakePdfService } from '../pdf/fake-pdf-engine.ts';
import { textService } from '../text/text-service.ts';
import { alignTable, type Row } from './align-table.ts';

/** The text of docs/limits.md, made from the plan table, the routes and the server's limits. */
export function limitsDocs(): string {
  return [
    introduction,
    `## Plans\n\nWhat a stack leaves unset is its plan's; what Enterprise leaves unset is Max's. Change the numbers of a plan under \`plans\`, or those of one stack under its \`limits\`; [configuration.md](configuration.md) has the keys.`,
    alignTable([['Limit', ...Object.keys(planTable).map(capitalised)], ...planRows.map(planRow)]),
    '## Bodies\n\nThe largest body in bytes. Extraction has room for the files of the plan and 1 MiB for the rest of the form.',
    alignTable([['Route', ...Object.keys(planTable).map(capitalised)], ...bodyRows()]),
    `A JSON body may nest ${MAX_JSON_DEPTH} levels deep (400 beyond it) and hold ${grouped(MAX_JSON_VALUES)} values (413 beyond it). It may not be compressed.`,
    '## Connections\n\nThese are the same for everybody.',
    alignTable([['Limit', 'Value', 'Beyond it'], ...connectionRows]),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = `# Limits

<!-- Made from the plan table and the routes by \`npm run docs\`; change the numbers there. -->

A limit is met by exactly its number: a file of 8 MB passes where 8 MB are allowed. MB are 1,000,000 bytes, MiB 1,048,576; a megapixel is 1,000,000 pixels. Limits belong to a stack, however many keys it has.`;

const planRows: readonly (readonly [name: string, read: (limits: PlanLimits) => number | null])[] = [
  ['Tokens per day', (limits) => limits.tokensPerDay],
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
    text: textService([]),
    schemas: new SchemaService(),
    images: imageService([]),
    gallery: new MemoryGallery(),
    pdf: fakePdfService(),
    extraction: extractionService(),
  });
  return routes.flatMap(({ path, body }) => {
    if (body.kind === 'none') return [];
    return [[`\`${path}\``, ...Object.values(planTable).map((limits) => grouped(body.cap(limits)))]];
  });
}

const { headBytes, urlBytes, headersMs, bodyIdleMs, requestMs, keepAliveMs } = defaultConnectionLimits;
const connectionRows: readonly Row[] = [
  ['Head of a request', `${grouped(headBytes)} bytes`, '431'],
  ['URL', `${grouped(urlBytes)} bytes`, '414'],
  ['Time for the head', seconds(headersMs), '408'],
  ['Silence while a body arrives', seconds(bodyIdleMs), '408'],
  ['Time for a whole request to arrive', seconds(requestMs), '408'],
  ['Silence between requests', seconds(keepAliveMs), 'closed'],
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
