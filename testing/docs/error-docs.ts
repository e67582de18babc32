import { adminFamily } from '../../src/families/admin-family.ts';
import { chatFamily, modelsFamily } from '../../src/families/chat-family.ts';
import { documentsFamily } from '../../src/families/documents-family.ts';
import type { Family } from '../../src/families/family.ts';
import { imagesFamily } from '../../src/families/images-family.ts';
import { mcpFamily } from '../../src/families/mcp-family.ts';
import { messagesFamily } from '../../src/families/messages-family.ts';
import { Fault } from '../../src/faults/fault.ts';
import { type FaultCode, faultRow, faultTable } from '../../src/faults/fault-table.ts';
import { alignTable } from './align-table.ts';

const REQUEST_ID = 'req_4fd1c0a2b36e5d7f8a9b0c1d';

/** The text of docs/errors.md, made from the fault table and the families. */
export function errorDocs(): string {
  return [
    introduction,
    '## Bodies',
    ...shapes.map(shapeSection),
    "## Faults\n\nSorted by status. The code is what clients can branch on, in the bodies that have one; a dash means that the status says it all. The fault is the gateway's own name for it; the log has it where something behind a 5xx failed.",
    faultRows(),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = `# Errors

<!-- Made from the fault table by \`npm run docs\`; change the texts there. -->

Every answer, good or bad, carries its id as \`x-request-id\` and \`request-id\` (the same value). Name it when you report a problem: the log has the request under it.

Every 429, 503 and 504 carries \`Retry-After\`, a whole number of seconds from 1 to 59. A 401 carries \`WWW-Authenticate: Bearer\`, a 405 carries \`Allow\`. A message says what was wrong and what is accepted; what went wrong inside the gateway is in its log only.

Checks are made in this order: path (404), method (405), key (401) or signature of a link (403), image plan and knowledge (403), requests in flight and per minute (429), size of the body (413), \`Content-Type\` (415), JSON (400), and then the rules of the endpoint. The first that fails answers.`;

interface Shape {
  readonly title: string;
  readonly text: string;
  readonly family: Family;
  readonly fault: Fault;
}

const ADMIN_TEXT =
  '`/admin/v1/overview`, `/admin/v1/engines`, `/admin/v1/limits`, `/admin/v1/stacks`, `/admin/v1/stacks/{id}`, `/admin/v1/keys`, `/admin/v1/stacks/{id}/keys`, `/admin/v1/stacks/{id}/keys/{key}`, `/admin/v1/stacks/{id}/keys/{key}/rotate`, `/admin/v1/usage`, `/admin/v1/requests`, `/admin/v1/images`, `/admin/v1/images/{id}`, `/admin/v1/images/{id}/content`, `/admin/v1/knowledge`, `/admin/v1/responses` and `/admin/v1/audit`.';

/** The bodies, each with the routes whose errors have it. */
export const shapes: readonly Shape[] = [
  {
    title: 'Chat completions',
    text: '`/v1/chat/completions`, `/v1/responses`, `/v1/responses/input_tokens`, `/v1/responses/{id}`, `/v1/responses/{id}/cancel`, `/v1/responses/{id}/input_items`, `/v1/conversations`, `/v1/conversations/{id}`, `/v1/conversations/{id}/items`, `/v1/conversations/{id}/items/{item}`, `/v1/embeddings`, `/v1/schemas/check`, `/v1/knowledge`, `/v1/knowledge/search`, `/v1/knowledge/{id}`, `/v1/files`, `/v1/files/uploads`, `/v1/files/{id}`, `/v1/files/{id}/content`, `/v1/files/{id}/url`, `/files/{id}`, `/v1/limits` and `/v1/usage`. A 404 also carries `"type": "error"`.',
    family: chatFamily,
    fault: new Fault(
      'rate-limited',
      'This stack sent 60 requests in the last minute; its limit is 60 (plan pro).',
    ),
  },
  {
    title: 'Models, and paths that do not exist',
    text: '`/v1/models`, `/v1/models/{id}`, unknown paths, the operations endpoints, and whatever is not HTTP. The body is the one above with `"type": "error"`, so that SDKs of either vendor show the message.',
    family: modelsFamily,
    fault: new Fault('model-not-found', 'This stack serves "tiny", not the model asked for.', {
      param: 'model',
    }),
  },
  {
    title: 'Messages',
    text: '`/v1/messages`, `/v1/messages/count_tokens`, and unknown paths under `/v1/messages`.',
    family: messagesFamily,
    fault: new Fault('json-malformed', 'The body is empty; a JSON object was expected.'),
  },
  {
    title: 'Images',
    text: '`/v1/images/generations`, `/v1/images/edits`, `/v1/images`, `/v1/images/{id}`, `/v1/images/{id}/meta` and `/v1/images/{id}/url`. A refusal of the image server has a code:',
    family: imagesFamily,
    fault: new Fault(
      'image-too-large',
      'The body is over the 22020096 bytes that this route takes (plan max).',
    ),
  },
  {
    title: 'Extraction and PDF generation, and the gateway on image routes',
    text: '`/v1/documents/extract`, `/v1/images/extract`, `/v1/documents/generate`, and every refusal on a route of images that has no code.',
    family: documentsFamily,
    fault: new Fault(
      'credential-refused',
      'The API key is missing or not valid. Send it as "Authorization: Bearer <key>".',
    ),
  },
  {
    title: 'The admin API',
    text: ADMIN_TEXT,
    family: adminFamily,
    fault: new Fault(
      'admin-conflict',
      'Stack "shop" is declared in the configuration file: change it there and send SIGHUP.',
    ),
  },
  {
    title: 'Tools',
    text: '`/mcp`, for failures of a request as a whole. A refusal of a tool is the result of its call, see [tools for agents](mcp.md).',
    family: mcpFamily,
    fault: new Fault('json-malformed', 'The body is empty; a JSON object was expected.'),
  },
];

function shapeSection({ title, text, family, fault }: Shape): string {
  const body = JSON.stringify(family.faultBody(fault, REQUEST_ID), undefined, 2);
  return `### ${title}\n\n${text}\n\n\`\`\`json\n${body}\n\`\`\``;
}

function faultRows(): string {
  const codes = (Object.keys(faultTable) as FaultCode[]).sort(
    (one, other) => faultRow(one).status - faultRow(other).status,
  );
  const rows = codes.map((code) => {
    const { status, wireCode, meaning, remedy } = faultRow(code);
    return [`\`${code}\``, String(status), wireCode === undefined ? '–' : `\`${wireCode}\``, meaning, remedy];
  });
  return alignTable([['Fault', 'Status', 'Code', 'Meaning', 'What to do'], ...rows]);
}
