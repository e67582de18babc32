import type { RecordedRequest, ReplyPlan } from '../fake-upstream/fake-upstream.mjs';

export type SentForm = 'json_schema' | 'guided_json' | 'structured_outputs' | 'json_object' | 'none';

/** How a server handles schemas. */
export interface SchemaTraits {
  /** Forms it enforces. */
  readonly holds: readonly SentForm[];
  /** Forms it refuses; all others are ignored and answered with text. */
  readonly refuses?: readonly SentForm[];
  /** Schemas that contain this are refused in the enforced forms, but not in words. */
  readonly refusedPart?: string;
}

const CHAT = '/v1/chat/completions';
const SAID = 'JSON Schema:\n';
const FREE_TEXT = 'As a matter of fact, hello.';

interface SentBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: SentForm; readonly json_schema?: { readonly schema: unknown } };
  readonly guided_json?: unknown;
  readonly structured_outputs?: { readonly json: unknown };
}

/** The answers of a fake server with these traits. */
export function schemaScript(
  traits: () => SchemaTraits,
): (request: RecordedRequest) => ReplyPlan | undefined {
  return (request) => {
    if (request.path !== CHAT) return undefined;
    const { holds, refuses = [], refusedPart } = traits();
    const form = sentForm(request);
    const schema = schemaOf(request.body as SentBody);
    const isTooMuch = refusedPart !== undefined && JSON.stringify(schema ?? null).includes(refusedPart);
    const isHeld = holds.includes(form);
    if (refuses.includes(form) || (isHeld && isTooMuch && form !== 'json_object')) {
      return { fail: { mode: 'status', status: 400 } };
    }
    return { text: [isHeld ? JSON.stringify(instanceOf(schema)) : FREE_TEXT] };
  };
}

/** The form of the schema in a chat request. */
export function sentForm({ body }: Pick<RecordedRequest, 'body'>): SentForm {
  const { response_format: format, guided_json, structured_outputs } = body as SentBody;
  if (guided_json !== undefined) return 'guided_json';
  if (structured_outputs !== undefined) return 'structured_outputs';
  return format?.type ?? 'none';
}

/** Whether it is a probe of the gateway itself. */
export function isProbe({ body }: Pick<RecordedRequest, 'body'>): boolean {
  return JSON.stringify(body).includes('plimquonset');
}

function schemaOf({ messages, response_format: format, guided_json, structured_outputs }: SentBody): unknown {
  const said = messages.find(({ role }) => role === 'system')?.content.split(SAID)[1];
  const written = format?.json_schema?.schema ?? guided_json ?? structured_outputs?.json;
  return written ?? (said === undefined ? undefined : JSON.parse(said));
}

/** An object that satisfies a schema of one level. */
function instanceOf(schema: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { enum?: unknown[] }> };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { enum: values }]) => [name, values?.[0] ?? 1]),
  );
}
