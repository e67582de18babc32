import type { Secret } from './secret.ts';

/** The plans a stack can be on. */
export const planNames = ['go', 'pro', 'max', 'enterprise'] as const;

/** The name of a plan. */
export type PlanName = (typeof planNames)[number];

/** Everything an operator can set: checked, complete and frozen. Paths are absolute. */
export interface Config {
  /** The file it was read from. */
  readonly file?: string;
  /** Whether there was no file at all. */
  readonly builtInDefaults: boolean;
  readonly server: ServerConfig;
  readonly dataDir: string;
  /** Absent: the embedded database in dataDir. */
  readonly database?: { readonly url: Secret };
  /** Absent: a folder in dataDir. */
  readonly blobs?: BlobsConfig;
  readonly log: LogConfig;
  readonly retention: { readonly imagesDays: number; readonly usageDays: number };
  readonly telemetry: { readonly otlpEndpoint?: string };
  readonly engines: EnginesConfig;
  readonly plans: Readonly<Record<PlanName, LimitOverrides>>;
  readonly stacks: readonly DeclaredStack[];
  /** Whether no stack is declared, so that the built-in one is used. */
  readonly usesDefaultStack: boolean;
}

/** Where the gateway listens and whom it trusts. */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly trustProxy: boolean | readonly string[];
  readonly drainDelaySeconds: number;
  readonly bodyMemory: 'auto' | number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly sharedReads: boolean;
  readonly cors: { readonly origins: readonly string[] };
}

/** The S3 bucket that keeps images. */
export interface BlobsConfig {
  readonly url: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: Secret;
}

/** What is logged and in which form. */
export interface LogConfig {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Absent: pretty when stdout is a terminal. */
  readonly format?: 'json' | 'pretty';
}

/** Engines by name, in the order of the file: the first is the one of a stack that names none. */
export type NamedEngines<Engine> = Readonly<Record<string, Engine>>;

/** What does the work. */
export interface EnginesConfig {
  readonly text: NamedEngines<TextEngineConfig>;
  readonly image: NamedEngines<ImageEngineConfig>;
  readonly ocr: OcrEngineConfig;
  readonly pdf: PdfEngineConfig;
  readonly embeddings: EmbeddingsEngineConfig;
}

/** An engine that answers chat and messages. */
export type TextEngineConfig = LlamaConfig | OpenAiConfig;

/** The embedded model, on the CPU. */
export interface LlamaConfig {
  readonly kind: 'llama';
  /** A name of the catalogue, or the absolute path of a file. */
  readonly model: string;
  /** Whether the file names it; if not, it is the one chosen by command, or the default. */
  readonly isModelNamed: boolean;
  readonly threads: number;
  readonly sequences: number;
  readonly contextWindow: number;
  /** 0: never. */
  readonly idlePauseMinutes: number;
  readonly extraction: 'grounded' | 'direct';
}

/** An OpenAI-compatible server, or several that serve the same model. */
export interface OpenAiConfig {
  readonly kind: 'openai';
  /** One or more, without a slash at the end. */
  readonly baseUrls: readonly string[];
  readonly apiKey?: Secret;
  readonly model: string;
  /** Absent: the server is asked. */
  readonly contextWindow?: number;
  readonly vision: boolean;
  readonly tokenize: 'auto' | 'vllm' | 'llama-server' | 'probe';
  readonly timeoutSeconds: number;
}

/** An engine that paints. */
export type ImageEngineConfig = DiffusionConfig | OpenAiImagesConfig | SdapiConfig;

/** The embedded painter, on the CPU. */
export interface DiffusionConfig {
  readonly kind: 'diffusion';
  readonly threads: number;
  /** 0: never. */
  readonly idlePauseMinutes: number;
}

/** A server with the OpenAI image routes. */
export interface OpenAiImagesConfig {
  readonly kind: 'openai-images';
  readonly baseUrl: string;
  readonly apiKey?: Secret;
  readonly model: string;
  readonly timeoutSeconds: number;
  readonly maxPromptCharacters: number;
  readonly maxReferences: number;
}

/** A server with the /sdapi/v1 routes. */
export interface SdapiConfig {
  readonly kind: 'sdapi';
  readonly baseUrl: string;
  readonly model: string;
  readonly timeoutSeconds: number;
  readonly maxPromptCharacters: number;
  readonly maxReferences: number;
}

/** What reads text in images. */
export interface OcrEngineConfig {
  readonly kind: 'embedded';
  readonly model: string;
  readonly threads: number;
}

/** The browser that prints HTML. */
export interface PdfEngineConfig {
  readonly kind: 'chromium';
  readonly executable?: string;
  readonly sandbox: 'required' | 'preferred';
  readonly maxInFlight: number;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

/** What turns text into vectors. */
export type EmbeddingsEngineConfig =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'openai'; readonly baseUrl: string; readonly apiKey?: Secret; readonly model: string };

/** Limits that replace a plan's; what is absent stays. null: no limit. */
export interface LimitOverrides {
  readonly tokensPerDay?: number | null;
  readonly requestsPerMinute?: number | null;
  readonly concurrentRequests?: number | null;
  readonly contextWindow?: number | null;
  readonly storageBytes?: number | null;
  readonly extraction: {
    readonly files?: number;
    readonly documentBytes?: number;
    readonly pages?: number;
    readonly imageBytes?: number;
    readonly megapixels?: number;
  };
  readonly pdf: { readonly htmlBytes?: number; readonly pages?: number };
  readonly images: {
    readonly submissionsPerMinute?: number;
    readonly inFlight?: number;
    readonly rendering?: number;
    readonly queueWaitSeconds?: number;
  };
}

/** A stack that the file owns. */
export interface DeclaredStack {
  readonly id: string;
  readonly account: string;
  readonly plan: PlanName;
  readonly imagePlan: boolean;
  /** Names of text engines: the first is served, the others stand in when it fails. */
  readonly text: readonly string[];
  /** Absent: the engine's own. */
  readonly models?: readonly string[];
  readonly image: string;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly paused: boolean;
  readonly limits: LimitOverrides;
  readonly knowledge: readonly string[];
  readonly keys: readonly DeclaredKey[];
}

/** A key that the file owns. */
export interface DeclaredKey {
  readonly id: string;
  /** Absent: one is generated. */
  readonly secret?: Secret;
  readonly prompt?: string;
  readonly retrieval: boolean;
  readonly knowledge?: 'read' | 'write';
  readonly expiresAt?: Date;
  readonly limits: KeyLimits;
}

/** Limits of a key alone; absent or null: none. */
export interface KeyLimits {
  readonly requestsPerMinute?: number | null;
  readonly concurrentRequests?: number | null;
}
