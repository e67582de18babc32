import type { KeyScope } from './key-scopes.ts';
import type { Secret } from './secret.ts';

export const planNames = ['go', 'pro', 'max', 'enterprise'] as const;

export type PlanName = (typeof planNames)[number];

/** The validated, complete and frozen configuration. Paths are absolute. */
export interface Config {
  /** Whether there was no file. */
  readonly file?: string;
  readonly server: ServerConfig;
  readonly dataDir: string;
  /** Absent: the embedded database in dataDir. */
  readonly database?: { readonly url: Secret };
  /** Absent: a folder in dataDir. */
  readonly blobs?: BlobsConfig;
  readonly backups?: BackupsConfig;
  readonly log: LogConfig;
  readonly retention: {
    readonly imagesDays: number;
    readonly filesDays: number;
    readonly responsesDays: number;
    readonly usageDays: number;
  };
  readonly files: { readonly maxBytes: number };
  /** Whether a model that writes everything is told what the field finder proposes. */
  readonly extraction: { readonly hints: boolean };
  readonly console: ConsoleConfig;
  readonly telemetry: { readonly otlpEndpoint?: string; readonly sampleRatio: number };
  readonly engines: EnginesConfig;
  readonly plans: Readonly<Record<PlanName, LimitOverrides>>;
  readonly prices: PricesConfig;
  readonly budgets: BudgetsConfig;
  readonly stacks: readonly DeclaredStack[];
  /** Whether no stack is declared, so that the built-in one is used. */
  readonly usesDefaultStack: boolean;
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly trustProxy: boolean | readonly string[];
  readonly drainDelaySeconds: number;
  readonly bodyMemory: 'auto' | number;
  /** As clients see the gateway, without a trailing slash; absent: as each request names it. */
  readonly publicUrl?: string;
  /** Absent: kept in the database. */
  readonly signingSecret?: Secret;
  /** Files in PEM; absent: plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly sharedReads: boolean;
  readonly cors: { readonly origins: readonly string[] };
}

/** The console, and who may log in there. */
export interface ConsoleConfig {
  /** `auto`: on where passwords cannot be read on the way. */
  readonly enabled: 'auto' | boolean;
  /** Absent: with passwords only. */
  readonly oidc?: OidcConfig;
}

/** A provider of OpenID Connect. */
export interface OidcConfig {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: Secret;
  readonly roles: OidcRoles;
}

/** Which values of a claim give which role. */
export interface OidcRoles {
  readonly claim: string;
  readonly operator: readonly string[];
  readonly readOnly: readonly string[];
  /** Stacks by values. */
  readonly member: Readonly<Record<string, string>>;
}

/** The S3 bucket for images, files and documents. */
export interface BlobsConfig {
  readonly url: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: Secret;
}

/** Where backups go, when, and who can read them. */
export interface BackupsConfig {
  /** An absolute path, or `s3://…`. */
  readonly to: string;
  /** `HH:MM`, in UTC. */
  readonly schedule?: string;
  readonly keep: number;
  /** Public keys; empty: not encrypted to any. */
  readonly recipients: readonly string[];
  readonly passphraseFile?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: Secret;
}

export interface LogConfig {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Absent: pretty if stdout is a terminal. */
  readonly format?: 'json' | 'pretty';
}

/** Engines by name, in file order: the first is the default. */
export type NamedEngines<Engine> = Readonly<Record<string, Engine>>;

export interface EnginesConfig {
  readonly text: NamedEngines<TextEngineConfig>;
  readonly image: NamedEngines<ImageEngineConfig>;
  readonly ocr: OcrEngineConfig;
  readonly pdf: PdfEngineConfig;
  readonly embeddings: EmbeddingsEngineConfig;
  readonly search: SearchEngineConfig;
}

/** The key and certificates for a model server. The contents of files are read when the file is loaded. */
export interface ServerCredentials {
  readonly apiKey?: Secret;
  readonly apiKeyFile?: string;
  readonly tls?: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
  /** The contents of the files of `tls`. */
  readonly certificates?: ServerCertificates;
}

/** In PEM. */
export interface ServerCertificates {
  readonly ca?: Secret;
  readonly certificate?: Secret;
  readonly key?: Secret;
}

/** An engine for chat and messages. */
export type TextEngineConfig = LlamaConfig | OpenAiConfig;

/** The embedded model, on the CPU. */
export interface LlamaConfig {
  readonly kind: 'llama';
  /** A catalogue name, or the absolute path of a file. */
  readonly model: string;
  /** Whether the file names it; otherwise it was chosen by command, or is the default. */
  readonly isModelNamed: boolean;
  readonly threads: number;
  readonly sequences: number;
  readonly contextWindow: number;
  /** 0: never. */
  readonly idlePauseMinutes: number;
  readonly extraction: 'grounded' | 'direct';
  /** `built-in`, `none`, or the absolute path of a file. */
  readonly adapter: string;
}

/** An OpenAI-compatible server, or several serving the same model. */
export interface OpenAiConfig extends ServerCredentials {
  readonly kind: 'openai';
  /** One or more, without trailing slashes. */
  readonly baseUrls: readonly string[];
  readonly model: string;
  /** Absent: the server is asked. */
  readonly contextWindow?: number;
  readonly vision: boolean;
  readonly tokenize: 'auto' | 'vllm' | 'llama-server' | 'probe';
  readonly timeoutSeconds: number;
}

export type ImageEngineConfig = DiffusionConfig | OpenAiImagesConfig | SdapiConfig;

/** The embedded painter, on the CPU. */
export interface DiffusionConfig {
  readonly kind: 'diffusion';
  readonly threads: number;
  /** 0: never. */
  readonly idlePauseMinutes: number;
}

/** A server with the OpenAI image routes. */
export interface OpenAiImagesConfig extends ServerCredentials {
  readonly kind: 'openai-images';
  readonly baseUrl: string;
  readonly model: string;
  readonly timeoutSeconds: number;
  readonly maxPromptCharacters: number;
  readonly maxReferences: number;
}

/** A server with the /sdapi/v1 routes. */
export interface SdapiConfig extends ServerCredentials {
  readonly kind: 'sdapi';
  readonly baseUrl: string;
  readonly model: string;
  readonly timeoutSeconds: number;
  readonly maxPromptCharacters: number;
  readonly maxReferences: number;
}

/** Reads text in images. */
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

/** Turns text into vectors. */
export type EmbeddingsEngineConfig =
  | { readonly kind: 'embedded' }
  | (ServerCredentials & { readonly kind: 'openai'; readonly baseUrl: string; readonly model: string });

/** Finds passages of the knowledge base. */
export type SearchEngineConfig =
  | { readonly kind: 'embedded'; readonly memoryBytes: number }
  | { readonly kind: 'postgres' };

/** Overrides of a plan's limits; absent: the plan's. null: no limit. */
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

/** The prices of models, by their names in the usage. */
export interface PricesConfig {
  readonly currency: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** Prices of a million tokens, and of one image. */
export interface ModelPrice {
  readonly input: number;
  /** Absent: as `input`. */
  readonly cachedInput?: number;
  readonly output: number;
  readonly image: number;
}

export interface BudgetsConfig {
  readonly webhook?: { readonly url: string; readonly secret: Secret };
  /** By account. */
  readonly accounts: Readonly<Record<string, BudgetLimits>>;
}

/** Money per calendar month: at `hard` requests are refused, at `soft` the webhook is called. */
export interface BudgetLimits {
  readonly hard?: number;
  readonly soft?: number;
}

/** A stack declared in the file. */
export interface DeclaredStack {
  readonly id: string;
  readonly account: string;
  readonly plan: PlanName;
  readonly imagePlan: boolean;
  /** Text engines: the first serves, the others are fallbacks. */
  readonly text: readonly string[];
  /** Absent: the engine's own. */
  readonly models?: readonly string[];
  readonly image: string;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly paused: boolean;
  /** Whether responses and conversations may be stored. */
  readonly responses: { readonly store: boolean };
  readonly limits: LimitOverrides;
  readonly budget?: BudgetLimits;
  readonly knowledge: readonly KnowledgeSource[];
  readonly keys: readonly DeclaredKey[];
}

/** A file, a folder or a bucket that documents of a stack come from. */
export type KnowledgeSource = PathSource | BucketSource;

export interface PathSource {
  readonly kind: 'path';
  /** As the file has it, without a slash at the end. */
  readonly source: string;
  readonly path: string;
  /** Whether it ends with a slash; otherwise the disk tells. */
  readonly isFolder: boolean;
}

export interface BucketSource {
  readonly kind: 'bucket';
  /** Its address. */
  readonly source: string;
  readonly bucket: BlobsConfig;
}

/** A key declared in the file. */
export interface DeclaredKey {
  readonly id: string;
  /** Absent: generated. */
  readonly secret?: Secret;
  readonly prompt?: string;
  readonly retrieval: boolean;
  readonly knowledge?: 'read' | 'write';
  readonly expiresAt?: Date;
  /** Absent: everything that the stack may. */
  readonly scopes?: readonly KeyScope[];
  readonly models?: readonly string[];
  readonly allowedIps?: readonly string[];
  readonly readOnly: boolean;
  readonly ownImagesOnly: boolean;
  readonly limits: KeyLimits;
  readonly budget?: BudgetLimits;
}

/** Limits of one key; absent or null: none. */
export interface KeyLimits {
  readonly requestsPerMinute?: number | null;
  readonly concurrentRequests?: number | null;
}
