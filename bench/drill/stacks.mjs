// The stacks of the drill. Each is there for one promise, so that its numbers can be added up.
export const RATE = 120;
export const PLACES = 3;
/** Tokens that the model reports for each answer. */
export const TOKENS_PER_CHAT = 100;
export const TOKENS_PER_BUDGET_CHAT = 1_000;
export const MODEL = 'fake-model';

const generous = '{ images: { submissions_per_minute: 100000, in_flight: 12, rendering: 4 } }';

/** The key of a stack. */
export function keyOf(stack) {
  return `sk-drill-${stack}-0123456789`;
}

/** The configuration of all replicas. */
export function configuration({ upstreamUrl, databaseUrl, s3, budgetTokens }) {
  const { accessKeyId, secretAccessKey, region } = s3.credentials;
  return `
database: { url: "${databaseUrl}" }
blobs: { url: "s3://${s3.bucket}/drill", endpoint: "${s3.endpoint}", region: ${region}, access_key_id: ${accessKeyId}, secret_access_key: "${secretAccessKey}" }
engines:
  text:
    gpu: { kind: openai, base_url: ${upstreamUrl}/v1, model: ${MODEL}, context_window: 131072, timeout_seconds: 8 }
  image:
    flux: { kind: openai-images, base_url: ${upstreamUrl}/v1, model: flux, timeout_seconds: 8 }
  pdf: { kind: chromium, timeout_seconds: 15 }
stacks:
${stack('shop', generous)}
${stack('health', generous)}
${stack('once', generous)}
${stack('later', '{}')}
${stack('rate', `{ requests_per_minute: ${RATE} }`)}
${stack('places', `{ concurrent_requests: ${PLACES} }`)}
${stack('budget', `{ tokens_per_day: ${budgetTokens} }`)}
${stack('art', '{ images: { submissions_per_minute: 100000, in_flight: 5, rendering: 1 } }')}
`;
}

function stack(id, limits) {
  return `  - { id: ${id}, account: drill, plan: max, image_plan: true, limits: ${limits}, keys: [{ id: app, secret: ${keyOf(id)}, knowledge: write }] }`;
}
