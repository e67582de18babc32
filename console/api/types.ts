/** The sums of /v1/usage. */
export interface Sums {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly pages: number;
  readonly images: number;
  readonly pdf_pages: number;
  readonly cost?: number;
  readonly errors: Errors;
  readonly latency_ms?: Latency;
}

export interface Errors {
  readonly client: number;
  readonly limit: number;
  readonly server: number;
  readonly gone: number;
}

export interface Latency {
  readonly mean: number;
  readonly max: number;
}

export interface List<T> {
  readonly data: readonly T[];
  readonly next_cursor?: string | null;
}

export type Role = 'operator' | 'read-only' | 'member';

/** Who is signed in. */
export interface Session {
  readonly name: string;
  readonly role: Role;
  readonly stack?: string | null;
  readonly door?: 'password' | 'oidc' | 'key';
  /** Role read-only, and sessions of a pasted key. */
  readonly read_only?: boolean;
  /** Whether the playground may be used. */
  readonly playground?: boolean;
  readonly expires_at?: string;
  readonly oidc?: { readonly name: string } | null;
  readonly version?: string;
}

export interface Engine {
  readonly name: string;
  readonly capability: string;
  readonly kind: string;
  readonly state: string;
  readonly model?: string | null;
  readonly waiting?: number | null;
  readonly last_error?: string | null;
}

export interface Overview {
  readonly replica: string;
  readonly version: string;
  readonly started_at: string;
  readonly engines: readonly Engine[];
  readonly queues: readonly { readonly name: string; readonly waiting: number }[];
  readonly now: {
    /** null: not known for one stack. */
    readonly in_flight: number | null;
    readonly requests_per_minute: number;
    readonly errors_per_minute: number;
    readonly tokens_per_minute: number;
  };
  readonly today: Sums;
  readonly days: readonly (Sums & { readonly day: string })[];
}

interface Declarable {
  readonly declared: boolean;
  readonly editable: boolean;
  readonly not_editable_because: string | null;
  readonly created_at: string;
  readonly etag?: string;
}

export interface Stack extends Declarable {
  readonly id: string;
  readonly account: string;
  readonly plan: string;
  readonly image_plan: boolean;
  readonly text: string | readonly string[] | null;
  readonly image: string | null;
  readonly models: readonly string[] | null;
  readonly system_prompt: string | null;
  readonly temperature: number | null;
  readonly paused: boolean;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly keys: number;
  readonly updated_at: string | null;
  readonly disabled_at: string | null;
}

/** A stack with the first of its keys, and its limits. */
export interface ShownStack extends Stack {
  readonly included: { readonly keys: List<Key>; readonly limits: readonly Limit[] };
}

export interface Key extends Declarable {
  readonly id: string;
  readonly stack: string;
  readonly prompt: string | null;
  readonly retrieval: boolean;
  readonly knowledge: string | null;
  readonly expires_at: string | null;
  readonly limits: {
    readonly requests_per_minute?: number | null;
    readonly concurrent_requests?: number | null;
  };
  readonly scopes?: readonly string[] | null;
  readonly allowed_ips?: readonly string[] | null;
  readonly read_only?: boolean;
  readonly own_images_only?: boolean;
  readonly state: 'active' | 'expired' | 'revoked' | 'disabled';
  readonly revoked_at: string | null;
  /** Only in the answer to its creation or rotation. */
  readonly secret?: string;
}

export interface UsageGroup extends Sums {
  readonly day?: string;
  readonly stack?: string;
  readonly key?: string;
  readonly endpoint?: string;
  readonly model?: string;
}

export interface Usage {
  readonly since: string;
  readonly until: string;
  readonly data: readonly UsageGroup[];
  /** Only where they were asked for. */
  readonly days?: readonly (Sums & { readonly day: string })[];
  readonly totals: Sums;
  readonly groups: number;
  readonly truncated: boolean;
}

export interface Limit {
  readonly name: string;
  readonly scope: 'account' | 'stack' | 'key';
  readonly limit: number | null;
  readonly used: number | null;
  readonly remaining: number | null;
  readonly resets_at: string | null;
}

/** A request of the live log: never its content. */
export interface LiveRequest {
  readonly sequence: number;
  readonly id: string;
  readonly at: string;
  readonly stack: string | null;
  readonly key: string | null;
  readonly endpoint: string;
  readonly model: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly first_token_ms: number | null;
  readonly duration_ms: number;
  readonly streamed: boolean;
}

export interface AuditRow {
  readonly sequence: number;
  readonly at: string;
  readonly actor: string;
  readonly door: string;
  readonly address: string | null;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly hash: string;
}

export interface Capture {
  readonly id: string;
  readonly stack: string;
  readonly key: string;
  readonly by: string;
  readonly started_at: string;
  readonly ends_at: string;
  readonly active: boolean;
  readonly requests: number;
  readonly dropped: number;
  /** Only of one that is asked for by its id. */
  readonly entries?: readonly CapturedRequest[];
}

export interface CapturedRequest {
  readonly id: string;
  readonly at: string;
  readonly endpoint: string;
  readonly method: string;
  /** null: still running. */
  readonly status: number | null;
  readonly request: CapturedBody;
  readonly answer: CapturedBody;
}

export interface CapturedBody {
  readonly text: string | null;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** A stored image with everything that made it. */
export interface StoredImage {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly stack: string;
  readonly key: string;
  readonly route: string;
  readonly model: string;
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidance_scale: number;
  readonly seed: string;
  readonly parents?: readonly string[];
  readonly reference_images?: number;
  /** Words of the prompt that had no effect; null: the model cannot tell. */
  readonly unknown_words?: readonly string[] | null;
  readonly size_bytes?: number;
}

export interface KnowledgeDocument {
  readonly id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly state: 'queued' | 'indexing' | 'ready' | 'failed';
  readonly progress: number;
  readonly failure: string | { readonly message?: string } | null;
  readonly searchable: boolean;
  readonly chunks: number;
  readonly declared: boolean;
  readonly source: string | null;
  readonly updated_at: string;
}

/** A passage that an answer was drawn from. */
export interface Source {
  readonly document_id: string;
  readonly document: string;
  readonly page: number | null;
  readonly score: number;
  readonly text: string;
}

/** A passage that was found, with its scores. */
export interface Passage extends Source {
  readonly headings: readonly string[];
  readonly words: number;
  readonly meaning: number | null;
  readonly fused: number;
}

export interface SchemaReport {
  readonly valid: boolean;
  readonly problems: readonly { readonly reason: string; readonly path: string; readonly message: string }[];
  readonly enforced: readonly { readonly path: string; readonly keyword: string }[];
  readonly validated_only: readonly {
    readonly path: string;
    readonly keyword: string;
    readonly message: string;
  }[];
  readonly may_be_invented: readonly string[];
  readonly may_vanish: readonly string[];
  readonly smallest_answer_tokens: number | null;
  readonly repaired_schema: unknown;
}

export interface PageImage {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly image: string;
}

export interface Extraction {
  readonly data: unknown;
  readonly pages: number;
  readonly files: number;
  readonly ocr_used: boolean;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly citations?: unknown;
  readonly confidence?: unknown;
}
