import { createHash } from 'node:crypto';
import type {
  AuditRow,
  Engine,
  Key,
  KnowledgeDocument,
  Limit,
  LiveRequest,
  Source,
  Stack,
  StoredImage,
  Sums,
} from '../api/types.ts';

const DAY_MS = 86_400_000;

/** Numbers that look drawn and are the same every time. */
export function drawn(name: string, most: number): number {
  return (createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32) * most;
}

const whole = (name: string, most: number) => Math.floor(drawn(name, most));
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export function sums(name: string, size: number): Sums {
  const requests = whole(`${name} requests`, size) + Math.floor(size / 2);
  const [prompt, completion] = [requests * 310, requests * 120];
  return {
    requests,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    pages: whole(`${name} pages`, size / 10),
    images: whole(`${name} images`, size / 20),
    pdf_pages: whole(`${name} printed`, size / 12),
    errors: {
      client: whole(`${name} client`, size / 20),
      limit: whole(`${name} limit`, size / 40),
      server: whole(`${name} server`, size / 90),
      gone: whole(`${name} gone`, size / 60),
    },
    latency_ms: { mean: 400 + drawn(`${name} mean`, 2000), max: 9000 + drawn(`${name} max`, 20_000) },
  };
}

export const NOTHING: Sums = {
  requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  pages: 0,
  images: 0,
  pdf_pages: 0,
  errors: { client: 0, limit: 0, server: 0, gone: 0 },
  latency_ms: { mean: 0, max: 0 },
};

export function added(all: readonly Sums[]): Sums {
  const sum = (of: (sums: Sums) => number) => all.reduce((total, each) => total + of(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sum(({ completion_tokens }) => completion_tokens),
    total_tokens: sum(({ total_tokens }) => total_tokens),
    pages: sum(({ pages }) => pages),
    images: sum(({ images }) => images),
    pdf_pages: sum(({ pdf_pages }) => pdf_pages),
    errors: {
      client: sum(({ errors }) => errors.client),
      limit: sum(({ errors }) => errors.limit),
      server: sum(({ errors }) => errors.server),
      gone: sum(({ errors }) => errors.gone),
    },
  };
}

/** The last days up to today. */
export function lastDates(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

export const ENGINES: readonly Engine[] = [
  {
    name: 'gpu',
    capability: 'text',
    kind: 'openai',
    state: 'ready',
    model: 'qwen3-32b',
    waiting: 0,
    last_error: null,
  },
  {
    name: 'local',
    capability: 'text',
    kind: 'llama',
    state: 'paused',
    model: 'smollm2-135m-instruct',
    waiting: 0,
    last_error: null,
  },
  {
    name: 'flux',
    capability: 'image',
    kind: 'openai-images',
    state: 'ready',
    model: 'flux-schnell',
    waiting: 2,
    last_error: null,
  },
  {
    name: 'forge',
    capability: 'image',
    kind: 'sdapi',
    state: 'failed',
    model: 'sdxl-turbo',
    waiting: 0,
    last_error: 'connect ECONNREFUSED 10.0.0.8:7860: nothing listens there, or a firewall stands between',
  },
  {
    name: 'ocr',
    capability: 'ocr',
    kind: 'embedded',
    state: 'ready',
    model: 'pp-ocrv6-small',
    waiting: 0,
    last_error: null,
  },
  {
    name: 'pdf',
    capability: 'pdf',
    kind: 'chromium',
    state: 'ready',
    model: null,
    waiting: 0,
    last_error: null,
  },
];

function stack(id: string, change: Partial<Stack> = {}): Stack {
  return {
    id,
    account: 'acme',
    plan: 'pro',
    image_plan: true,
    text: ['gpu', 'hosted'],
    image: 'flux',
    models: ['qwen3-32b'],
    system_prompt: null,
    temperature: null,
    paused: false,
    limits: {},
    keys: 3,
    declared: false,
    editable: true,
    not_editable_because: null,
    created_at: ago(90 * DAY_MS),
    updated_at: ago(2 * DAY_MS),
    disabled_at: null,
    etag: '"1"',
    ...change,
  };
}

export const STACKS: readonly Stack[] = [
  stack('shop', {
    system_prompt:
      'You are the assistant of a shop for lamps. Answer in the language of the question, in three sentences at most, and never promise a date of delivery that is not in the documents.',
    limits: { tokens_per_day: 2_000_000, requests_per_minute: 120 },
    keys: 4,
  }),
  stack('research', { plan: 'enterprise', paused: true, image_plan: false, models: null, keys: 2 }),
  stack('support', {
    declared: true,
    editable: false,
    not_editable_because: 'Declared in stackgate.yaml: change it there and send SIGHUP.',
    account: 'northwind',
    plan: 'max',
  }),
  stack('a-stack-with-quite-a-long-name-for-the-german-branch', {
    account: 'northwind-handelsgesellschaft',
    plan: 'go',
    image_plan: false,
    keys: 1,
  }),
  stack('trial', { disabled_at: ago(5 * DAY_MS), plan: 'go', keys: 0, image_plan: false }),
];

function key(of: string, id: string, change: Partial<Key> = {}): Key {
  return {
    id,
    stack: of,
    prompt: null,
    retrieval: false,
    knowledge: null,
    expires_at: null,
    limits: {},
    declared: false,
    editable: true,
    not_editable_because: null,
    state: 'active',
    created_at: ago(whole(`${of}${id}`, 60) * DAY_MS),
    revoked_at: null,
    etag: '"1"',
    ...change,
  };
}

export const KEYS: readonly Key[] = [
  key('shop', 'web', { retrieval: true, knowledge: 'read', limits: { requests_per_minute: 60 } }),
  key('shop', 'editor', { knowledge: 'write', expires_at: new Date(Date.now() + 90 * DAY_MS).toISOString() }),
  key('shop', 'art', { prompt: 'a watercolour fox' }),
  key('shop', 'old-web', { state: 'revoked', revoked_at: ago(DAY_MS) }),
  key('shop', 'console', { retrieval: true, knowledge: 'write' }),
  key('research', 'console', { knowledge: 'write' }),
  key('research', 'notebook', { state: 'expired', expires_at: ago(DAY_MS) }),
  key('support', 'desk', {
    declared: true,
    editable: false,
    not_editable_because: 'Declared in stackgate.yaml: change it there and send SIGHUP.',
  }),
];

export const LIMITS: readonly Limit[] = [
  {
    name: 'tokens_per_day',
    scope: 'stack',
    limit: 2_000_000,
    used: 1_734_210,
    remaining: 265_790,
    resets_at: null,
  },
  { name: 'requests_per_minute', scope: 'stack', limit: 120, used: 14, remaining: 106, resets_at: null },
  { name: 'images.per_minute', scope: 'stack', limit: 10, used: 10, remaining: 0, resets_at: null },
  { name: 'extraction.files', scope: 'stack', limit: 5, used: null, remaining: null, resets_at: null },
  { name: 'pdf.pages', scope: 'stack', limit: 50, used: null, remaining: null, resets_at: null },
];

const ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/responses',
  '/v1/images/generations',
  '/v1/documents/extract',
];

/** A request that ended just now. */
export function liveRequest(sequence: number): LiveRequest {
  const endpoint = ENDPOINTS[whole(`${sequence} endpoint`, ENDPOINTS.length)] ?? '';
  const isText = !endpoint.includes('images');
  const luck = drawn(`${sequence} luck`, 1);
  const [status, code] =
    luck > 0.96
      ? ([503, 'model_not_ready'] as const)
      : luck > 0.9
        ? ([429, 'rate_limit_exceeded'] as const)
        : ([200, null] as const);
  const tokens = isText && status === 200;
  return {
    sequence,
    id: `req_${sequence.toString(16).padStart(8, '0')}`,
    at: ago((400 - sequence) * 1700),
    stack: sequence % 3 === 0 ? 'support' : 'shop',
    key: sequence % 3 === 0 ? 'desk' : 'web',
    endpoint,
    model: isText ? 'qwen3-32b' : 'flux-schnell',
    status,
    error_code: code,
    input_tokens: tokens ? 200 + whole(`${sequence} in`, 4000) : null,
    output_tokens: tokens ? 20 + whole(`${sequence} out`, 900) : null,
    first_token_ms: tokens ? 120 + drawn(`${sequence} first`, 500) : null,
    duration_ms: status === 200 ? 600 + drawn(`${sequence} duration`, 6000) : 3,
    streamed: tokens && sequence % 2 === 0,
  };
}

export const AUDIT: readonly AuditRow[] = [
  ['ada', 'console', 'key.create', 'shop/editor', null, { id: 'editor', knowledge: 'write', limits: {} }],
  ['ada', 'console', 'session.begin', 'ada', null, null],
  [
    'terraform',
    'token',
    'stack.change',
    'shop',
    { plan: 'go', limits: { tokens_per_day: 200_000 } },
    { plan: 'pro', limits: { tokens_per_day: 2_000_000 } },
  ],
  ['root', 'cli', 'key.revoke', 'shop/old-web', { state: 'active' }, { state: 'revoked' }],
  ['root', 'cli', 'images.erase', 'key shop/old-web', null, { images: 812 }],
  ['ada', 'console', 'capture.begin', 'shop/web', null, { minutes: 5 }],
].map(([actor, door, action, target, before, after], index) => ({
  sequence: 6 - index,
  at: ago(index * 7_400_000),
  actor: String(actor),
  door: String(door),
  address: door === 'cli' ? null : '10.1.4.22',
  action: String(action),
  target: String(target),
  before,
  after,
  hash: createHash('sha256').update(String(index)).digest('hex'),
}));

export function storedImage(index: number): StoredImage {
  const prompts = [
    'a watercolour fox in the snow',
    'a red house under a blue sky',
    'a lamp on a wooden desk, evening light, long shadows, seen from the side, very detailed, soft colours',
    'a green hill with a tree',
  ];
  const isEdit = index % 5 === 2;
  return {
    id: `img_${index.toString(16).padStart(8, '0')}`,
    created_at: ago(index * 3_600_000),
    stack: 'shop',
    key: 'art',
    route: isEdit ? 'edits' : 'generations',
    model: 'flux-schnell',
    prompt: prompts[index % prompts.length] ?? '',
    width: index % 3 === 1 ? 1536 : 1024,
    height: 1024,
    steps: 4,
    guidance_scale: 1,
    seed: index === 0 ? '18446744073709551615' : String(whole(`seed ${index}`, 2 ** 32)),
    parents: isEdit ? [`img_${(index + 1).toString(16).padStart(8, '0')}`] : [],
    reference_images: isEdit ? 1 : 0,
  };
}

export const DOCUMENTS: readonly KnowledgeDocument[] = [
  {
    id: 'doc_1',
    name: 'handbook.md',
    size_bytes: 48_213,
    state: 'ready',
    progress: 1,
    failure: null,
    searchable: true,
    chunks: 182,
    declared: true,
    source: 'docs/handbook.md',
    updated_at: ago(DAY_MS),
  },
  {
    id: 'doc_2',
    name: 'prices-2026.pdf',
    size_bytes: 1_204_331,
    state: 'indexing',
    progress: 0.4,
    failure: null,
    searchable: false,
    chunks: 0,
    declared: false,
    source: null,
    updated_at: ago(4000),
  },
  {
    id: 'doc_3',
    name: 'scan.pdf',
    size_bytes: 8_000_000,
    state: 'failed',
    progress: 0,
    failure: 'The document has no text, and nothing was read from its pictures: all 12 pages are empty.',
    searchable: false,
    chunks: 0,
    declared: false,
    source: null,
    updated_at: ago(9000),
  },
];

export const SOURCES: readonly Source[] = [
  {
    document_id: 'doc_1',
    document: 'handbook.md',
    page: null,
    score: 0.536,
    text: 'We open at nine on weekdays and at ten on Saturdays.',
  },
  {
    document_id: 'doc_4',
    document: 'general-terms-of-business-and-opening-hours-of-all-branches_final_v2_signed-2026-03-14.pdf',
    page: 12,
    score: 0.481,
    text: 'On public holidays all branches are closed.\n\nOrders that come in then are sent on the next working day. The customer is told of it by mail, at the address that was given with the order; a branch that is open on a Sunday says so at its door, at least two weeks before.',
  },
  {
    document_id: 'doc_2',
    document: 'prices-2026.pdf',
    page: 3,
    score: 0.128,
    text: 'Prices hold from nine o’clock on the day that is printed above them.',
  },
];
