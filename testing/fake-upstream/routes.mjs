import { answerChat, jsonAnswer } from './chat.mjs';
import { answerOpenAiImages, answerSdapi, listCheckpoints } from './images.mjs';
import { countPromptTokens, renderPrompt, tokenize } from './prompt-tokens.mjs';

const CREATED = 1_700_000_000;

const WORK = {
  'POST /v1/chat/completions': chat,
  'POST /v1/images/generations': ({ recorded, plan }) => answerOpenAiImages(recorded.body ?? {}, plan),
  'POST /v1/images/edits': edit,
  'POST /sdapi/v1/txt2img': ({ recorded, plan }) => answerSdapi(recorded.body ?? {}, plan),
  'POST /sdapi/v1/img2img': ({ recorded, plan }) => answerSdapi(recorded.body ?? {}, plan),
};

const COMMON = {
  ...WORK,
  'GET /v1/models': listModels,
  'GET /health': () => jsonAnswer({ status: 'ok' }),
  'GET /sdapi/v1/sd-models': listCheckpoints,
};

/** Additional routes by kind of server. */
const ROUTES = {
  vllm: { ...COMMON, 'POST /tokenize': tokenizeLikeVllm },
  'llama-server': {
    ...COMMON,
    'POST /apply-template': applyTemplate,
    'POST /tokenize': tokenizeLikeLlamaServer,
  },
  plain: COMMON,
};

/** Whether requests to this path consume queued plans. */
export function isWorkPath(path) {
  return `POST ${path}` in WORK;
}

/** The answer to a request, before a failure is applied. */
export function answerRequest(order) {
  const { recorded, options } = order;
  if (options.apiKey !== undefined && recorded.headers.authorization !== `Bearer ${options.apiKey}`) {
    return errorAnswer(401, 'bad key');
  }
  const route = ROUTES[options.flavour][`${recorded.method} ${recorded.path}`];
  return route ? route(order) : errorAnswer(404, 'Not Found');
}

function chat({ recorded, plan, mode, options }) {
  if (!Array.isArray(recorded.body?.messages)) return errorAnswer(400, 'messages must be a list');
  return answerChat({ body: recorded.body, plan, mode, model: options.model, serial: recorded.serial });
}

function edit({ recorded, plan }) {
  const fields = recorded.form
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => [name, value]);
  const hasImage = recorded.form.some(({ name, bytes }) => bytes && (name === 'image' || name === 'image[]'));
  if (!hasImage) return errorAnswer(400, 'image is missing');
  return answerOpenAiImages(Object.fromEntries(fields), plan);
}

function listModels({ options: { model, contextWindow, flavour } }) {
  const window =
    flavour === 'llama-server' ? { meta: { n_ctx: contextWindow, n_ctx_train: contextWindow } } : {};
  const entry = {
    id: model,
    object: 'model',
    created: CREATED,
    owned_by: flavour === 'vllm' ? 'vllm' : 'fake',
  };
  const known = flavour === 'vllm' ? { max_model_len: contextWindow } : window;
  return jsonAnswer({ object: 'list', data: [{ ...entry, ...known }] });
}

function tokenizeLikeVllm({ recorded: { body }, options }) {
  const known = { max_model_len: options.contextWindow };
  if (Array.isArray(body?.messages)) {
    const tokens = tokenize(renderPrompt(body), { addStart: true });
    return jsonAnswer({ count: countPromptTokens(body), ...known, tokens, token_strs: null });
  }
  if (typeof body?.prompt !== 'string') return errorAnswer(400, 'prompt or messages is missing');
  const tokens = tokenize(body.prompt, { addStart: body.add_special_tokens !== false });
  return jsonAnswer({ count: tokens.length, ...known, tokens, token_strs: null });
}

function applyTemplate({ recorded: { body } }) {
  if (!Array.isArray(body?.messages)) return errorAnswer(400, 'messages must be a list');
  return jsonAnswer({ prompt: renderPrompt(body) });
}

/** Like the real server, without `add_special` the start token is not counted. */
function tokenizeLikeLlamaServer({ recorded: { body } }) {
  return jsonAnswer({
    tokens: tokenize(String(body?.content ?? ''), { addStart: body?.add_special === true }),
  });
}

function errorAnswer(status, message) {
  return jsonAnswer({ error: { message, type: 'invalid_request_error', param: null, code: status } }, status);
}
