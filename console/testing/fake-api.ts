import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AUDIT,
  added,
  DOCUMENTS,
  drawn,
  ENGINES,
  KEYS,
  LIMITS,
  lastDates,
  liveRequest,
  NOTHING,
  SOURCES,
  STACKS,
  storedImage,
  sums,
} from './fake-data.ts';

const LIVE_EVERY_MS = 700;
const MOST_IMAGES = 60;

/** The console's API with invented data, to work on its pages; `empty` is a gateway that was never used. */
export function fakeApi(empty: boolean) {
  let signedIn = true;
  return (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const url = new URL(request.url ?? '/', 'http://console');
    // The sources of the same folder are served while it is worked on.
    if (!url.pathname.startsWith('/console/api/') || /\.tsx?$/.test(url.pathname)) return next();
    const path = url.pathname.slice('/console/api'.length);
    if (path === '/session' && request.method !== 'GET') signedIn = request.method === 'POST';
    if (path === '/session' && !signedIn) {
      return send(response, 401, {
        detail: 'Not signed in.',
        oidc: { name: 'Keycloak' },
        needs_setup: false,
      });
    }
    answer({ request, response, url, path, empty }).catch((error) =>
      send(response, 500, { detail: String(error) }),
    );
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly path: string;
  readonly empty: boolean;
}

async function answer(call: Call): Promise<void> {
  const { request, response, url, path, empty } = call;
  const list = (data: readonly unknown[]) =>
    send(response, 200, { data: empty ? [] : data, next_cursor: null });
  const stack = url.searchParams.get('stack');
  const search = url.searchParams.get('q') ?? '';
  if (path.startsWith('/playground/')) return playground(call);
  if (path === '/session')
    return send(response, 200, {
      name: 'ada',
      role: 'operator',
      stack: null,
      door: 'password',
      read_only: false,
      playground: true,
      version: '0.2.0',
      oidc: null,
    });
  if (path === '/overview') return send(response, 200, overview(empty));
  if (path === '/stacks' && request.method === 'POST') return send(response, 201, STACKS[0]);
  if (path === '/stacks') return list(STACKS.filter(({ id }) => id.includes(search)));
  if (path === '/keys')
    return list(KEYS.filter((key) => (!stack || key.stack === stack) && key.id.includes(search)));
  if (path === '/usage') return send(response, 200, usage(url, empty));
  if (path === '/audit') return list(AUDIT);
  if (path === '/captures')
    return list([
      {
        id: 'cap_1',
        stack: 'shop',
        key: 'web',
        by: 'ada',
        started_at: new Date().toISOString(),
        ends_at: new Date(Date.now() + 240_000).toISOString(),
        active: true,
        requests: 3,
        dropped: 0,
      },
    ]);
  if (path === '/knowledge') return list(DOCUMENTS);
  if (path === '/requests') return requests(call);
  if (path === '/images') return images(call);
  if (/^\/images\/.*\/content$/.test(path)) return picture(path, response);
  if (/^\/stacks\/[^/]+\/keys/.test(path) && request.method === 'POST')
    return send(response, 201, { ...KEYS[0], secret: 'sk-stackgate-3v7Qm2Zt9rXcW1bYpLkHs8Df' });
  const [, of = '', named = ''] = /^\/stacks\/([^/]+)\/keys\/([^/]+)$/.exec(path) ?? [];
  const known = KEYS.find((key) => key.stack === decodeURIComponent(of) && key.id === named);
  if (known !== undefined) return send(response, 200, known);
  if (/^\/stacks\/[^/]+$/.test(path)) {
    const id = decodeURIComponent(path.slice('/stacks/'.length));
    const keys = { data: empty ? [] : KEYS.filter((key) => key.stack === id), next_cursor: null };
    const shown = STACKS.find((known) => known.id === id) ?? STACKS[0];
    return send(response, 200, { ...shown, included: { keys, limits: LIMITS } });
  }
  send(response, 404, { detail: `There is no ${path}.` });
}

function overview(empty: boolean) {
  const days = lastDates(30).map((day) => ({ day, ...(empty ? NOTHING : sums(day, 4000)) }));
  return {
    replica: 'gw-1',
    version: '0.2.0',
    started_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    engines: ENGINES,
    queues: empty
      ? []
      : [
          { name: 'images', waiting: 2 },
          { name: 'extraction', waiting: 0 },
          { name: 'embeddings', waiting: 0 },
        ],
    now: empty
      ? { in_flight: 0, requests_per_minute: 0, errors_per_minute: 0, tokens_per_minute: 0 }
      : { in_flight: 7, requests_per_minute: 96, errors_per_minute: 2, tokens_per_minute: 41_200 },
    today: empty ? NOTHING : sums('today', 4000),
    days,
  };
}

function usage(url: URL, empty: boolean) {
  const by = url.searchParams.get('group_by') ?? 'day';
  const names: Readonly<Record<string, readonly string[]>> = {
    day: lastDates(30),
    stack: STACKS.map(({ id }) => id),
    'stack,key': KEYS.map(({ stack, id }) => `${stack}/${id}`),
    endpoint: ['/v1/chat/completions', '/v1/messages', '/v1/images/generations', '/v1/documents/extract'],
    model: ['qwen3-32b', 'flux-schnell', 'smollm2-135m-instruct', ''],
  };
  const days = lastDates(30).map((day) => ({ day, ...sums(day, 4000) }));
  const data = empty
    ? []
    : (names[by] ?? []).map((name) => {
        const [stack, key] = name.split('/');
        const dimensions = by === 'stack,key' ? { stack, key } : { [by]: name };
        return { ...dimensions, ...sums(name, by === 'day' ? 4000 : 40_000) };
      });
  return {
    since: url.searchParams.get('since'),
    until: url.searchParams.get('until'),
    data,
    ...(url.searchParams.has('days') && { days: empty ? [] : days }),
    totals: added(data),
    groups: data.length,
    truncated: false,
  };
}

function requests({ request, response, empty }: Call) {
  const isStream = request.headers.accept === 'text/event-stream';
  if (!isStream)
    return send(response, 200, {
      replica: 'gw-1',
      data: empty ? [] : Array.from({ length: 60 }, (_, index) => liveRequest(index + 300)),
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': hello\n\n');
  let sequence = 400;
  const timer = setInterval(() => {
    sequence += 1;
    if (!empty)
      response.write(
        `id: ${sequence}\nevent: request\ndata: ${JSON.stringify({ ...liveRequest(sequence), at: new Date().toISOString() })}\n\n`,
      );
  }, LIVE_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}

function images({ response, url, empty }: Call): void {
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const to = Math.min(MOST_IMAGES, from + Number(url.searchParams.get('limit') ?? 24));
  const data = empty ? [] : Array.from({ length: to - from }, (_, index) => storedImage(from + index));
  send(response, 200, { data, next_cursor: empty || to === MOST_IMAGES ? null : String(to) });
}

/** Hills under a sky, of colours of its own for each image. */
function picture(path: string, response: ServerResponse): void {
  const hue = Math.floor(drawn(path.replace(/\/content$/, ''), 360));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none"><rect width="100" height="100" fill="hsl(${hue} 55% 78%)"/><circle cx="${20 + (hue % 60)}" cy="26" r="9" fill="hsl(${(hue + 40) % 360} 90% 88%)"/><path d="M0 70Q25 45 50 66T100 60V100H0Z" fill="hsl(${(hue + 120) % 360} 35% 48%)"/><path d="M0 84Q30 66 60 82T100 78V100H0Z" fill="hsl(${(hue + 130) % 360} 40% 34%)"/></svg>`;
  response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg);
}

async function playground({ request, response, path }: Call): Promise<void> {
  const route = path.replace(/^\/playground\/[^/]+/, '');
  let body = '';
  for await (const chunk of request) body += chunk;
  if (route === '/v1/models')
    return send(response, 200, { data: [{ id: 'qwen3-32b' }, { id: 'smollm2-135m-instruct' }] });
  if (route === '/v1/chat/completions') return stream(response, body.includes('"include":["knowledge"]'));
  if (route.startsWith('/v1/images/'))
    return send(response, 200, { data: [], meta: { unknown_words: ['qwxzv', 'blorptangle'] } });
  if (route === '/v1/knowledge/search') {
    const passage = {
      ...SOURCES[0],
      headings: ['The shop', 'Opening hours'],
      words: 2.076,
      meaning: 0.527,
      fused: 1.369,
    };
    return send(response, 200, {
      data: [
        passage,
        {
          ...passage,
          text: 'On public holidays the shop is closed.',
          score: 0.128,
          words: 0,
          meaning: 0.256,
          fused: 0.179,
        },
      ],
    });
  }
  if (route === '/v1/schemas/check') {
    return send(response, 200, {
      valid: true,
      problems: [],
      enforced: [{ path: '/properties/number', keyword: 'pattern' }],
      validated_only: [],
      may_be_invented: ['number', 'issued', 'total'],
      may_vanish: ['paid_on'],
      smallest_answer_tokens: 14,
      repaired_schema: {
        type: 'object',
        properties: {
          number: { type: ['string', 'null'], pattern: '^[A-Z]{2}\\d{4,8}$' },
          issued: { type: ['string', 'null'], format: 'date' },
          total: { type: ['number', 'null'] },
          paid_on: { type: ['string', 'null'], format: 'date' },
        },
        required: ['number', 'issued', 'total', 'paid_on'],
      },
    });
  }
  send(response, 503, {
    error: { message: 'The fake gateway has no such engine.', code: 'model_not_ready' },
  });
}

async function stream(response: ServerResponse, withSources: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const words = 'Hello! The shop opens at nine on weekdays, and at ten on Saturdays.'.split(/(?<= )/);
  for (const content of words)
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
    );
  response.write(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...(withSources && { knowledge: SOURCES }) })}\n\n`,
  );
  response.write(
    `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 212, completion_tokens: words.length, total_tokens: 212 + words.length } })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}
