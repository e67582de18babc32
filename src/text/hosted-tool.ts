import type { Caller } from '../access/caller.ts';
import type { MeteredWork } from '../access/meter.ts';
import type { KeyScope } from '../config/key-scopes.ts';
import type { Tool } from './conversation.ts';
import type { FoundPassage } from './found-passage.ts';

/** A kind of tool that the gateway can run itself. */
export type HostedKind = 'file-search' | 'image-generation';

/** Whether the caller of a request may use a kind of tool. */
export type IsHostedOpen = (kind: HostedKind) => boolean;

/** Settings of a request for one hosted tool; absent: the tool's own. */
export interface HostedSettings {
  readonly kind: HostedKind;
  /** Passages of one search. */
  readonly mostPassages?: number | undefined;
  /** The size of an image, as in image requests. */
  readonly imageSize?: string | undefined;
}

/** The result of a call, for the client. */
export type HostedOutcome =
  | { readonly type: 'found'; readonly query: string; readonly passages: readonly FoundPassage[] }
  | { readonly type: 'painted'; readonly base64: string; readonly prompt: string; readonly size: string }
  | { readonly type: 'failed'; readonly message: string };

/** The result of a call, for the client and for the model. */
export interface HostedResult {
  readonly outcome: HostedOutcome;
  readonly told: string;
}

/** One call of the model. */
export interface HostedCall {
  /** As the model wrote them; not verified. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly settings: HostedSettings;
  /** Passages that earlier calls of the same answer found. */
  readonly earlierPassages: number;
}

/** A tool that the gateway runs itself when the model calls it. */
export interface HostedTool {
  readonly kind: HostedKind;
  /** The scope that a key with scopes must have. */
  readonly scope: KeyScope;
  /** Whether it neither changes nor costs anything. */
  readonly isForReaders: boolean;
  /** Whether the caller has what the tool needs. */
  isOpenTo(caller: Caller): boolean;
  /** Throws a fault if it fails, which the model is told. */
  run(caller: Caller, call: HostedCall, work: MeteredWork): Promise<HostedResult>;
}

/** The tools as the model sees them. */
export const HOSTED_FUNCTIONS: Readonly<Record<HostedKind, Tool>> = {
  'file-search': {
    name: 'file_search',
    description:
      'Searches the documents of the user. Returns numbered passages. Cite a passage that you use by its number in brackets, such as [1].',
    parameters: argumentSchema('query', 'The question, or words of the passage.'),
    strict: true,
  },
  'image-generation': {
    name: 'image_generation',
    description: 'Paints an image and shows it to the user.',
    parameters: argumentSchema('prompt', 'A description of the image.'),
    strict: true,
  },
};

function argumentSchema(name: string, description: string): Readonly<Record<string, unknown>> {
  const properties = { [name]: { type: 'string', description } };
  return { type: 'object', properties, required: [name], additionalProperties: false };
}
