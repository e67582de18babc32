import type { Fault } from '../../../faults/fault.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import type { OutputForm } from '../../conversation.ts';
import type { ModelServer } from './model-server.ts';
import type { RunningUsage } from './running-usage.ts';
import type { SchemaForm } from './schema-forms.ts';
import type { WrittenBody } from './written-body.ts';

export interface AskedBodyOptions {
  readonly output: OutputForm;
  /** Writes the request with its schema in this form; without a schema all forms are the same. */
  readonly write: (form: SchemaForm) => WrittenBody;
  readonly inOnePiece: boolean;
  /** Set if usage is requested in every chunk. */
  readonly runningUsage: RunningUsage | undefined;
  /** Set if a cache salt is sent: prompts share the prefix cache of a server only if they have the same salt. */
  readonly salts: SaltsTaken | undefined;
}

/** Whether the servers take no cache salt, once that is known. */
export interface SaltsTaken {
  areRefused: boolean;
}

/** A server's refusal of a request. */
export interface ServerRefusal {
  readonly text: string;
  readonly fault: Fault;
}

type Json = string | JsonBytes;

/** Members that not every server takes, by the names in a refusal. */
const REFUSALS = [
  ['isCounted', 'continuous_usage_stats'],
  ['isSalted', 'cache_salt'],
  ['tellsProbabilities', 'logprobs'],
] as const;

/** The body for the servers of one call: in each server's form of the schema, and in another form if it refuses that one. */
export class AskedBody {
  readonly #options: AskedBodyOptions;
  #server: ModelServer | undefined;
  #form: SchemaForm = 'json_schema';
  #triedForms: readonly SchemaForm[] = [];
  readonly #extras: { isCounted: boolean; isSalted: boolean; tellsProbabilities: boolean };

  constructor(options: AskedBodyOptions) {
    this.#options = options;
    const { runningUsage, salts, output } = options;
    this.#extras = {
      isCounted: runningUsage !== undefined,
      isSalted: salts !== undefined,
      tellsProbabilities: output.type === 'schema' && output.tellsProbabilities === true,
    };
  }

  /** The base URL of the server that was asked last. */
  get server(): string | undefined {
    return this.#server?.baseUrl;
  }

  /** The schema form it was asked in. */
  get form(): SchemaForm {
    return this.#form;
  }

  for(server: ModelServer): Json {
    this.#server = server;
    if (this.#options.output.type !== 'schema') return this.#written();
    this.#triedForms = [];
    return this.#inForm(server.schemaForms.current);
  }

  /** The body to send after a refusal; `undefined` if there is no other. Never rejects. */
  insteadOf({ text, fault }: ServerRefusal): Json | undefined | Promise<Json | undefined> {
    if (this.#leavesOutWhatIsNamedIn(text)) return this.#written();
    if (this.#options.output.type !== 'schema' || fault.code !== 'engine-refused') return undefined;
    return this.#inAnotherForm(this.#options.output.isVerified ?? false);
  }

  /** A server has begun to answer. */
  accepted(): void {
    const { salts } = this.#options;
    // Not earlier: a refusal may quote the client's text.
    if (salts !== undefined && !this.#extras.isSalted) salts.areRefused = true;
  }

  /** Reports whether the answer satisfies its schema. */
  checked(fits: boolean): void {
    this.#server?.schemaForms.answered(this.#form, fits);
  }

  #leavesOutWhatIsNamedIn(refusal: string): boolean {
    const named = REFUSALS.filter(([extra, name]) => this.#extras[extra] && refusal.includes(name));
    for (const [extra] of named) {
      this.#extras[extra] = false;
      if (extra === 'isCounted') this.#options.runningUsage?.learn(false);
    }
    return named.length > 0;
  }

  async #inAnotherForm(isVerified: boolean): Promise<Json | undefined> {
    const found = await this.#server?.schemaForms.afterRefusal(this.#form);
    // A caller that validates the answer itself is better served by the schema in the prompt than by none.
    const form = found ?? (isVerified ? 'json_object' : undefined);
    return form === undefined || this.#triedForms.includes(form) ? undefined : this.#inForm(form);
  }

  #inForm(form: SchemaForm): Json {
    this.#form = form;
    this.#triedForms = [...this.#triedForms, form];
    return this.#written();
  }

  #written(): Json {
    const body = this.#options.write(this.#form);
    return this.#options.inOnePiece ? body.whole(this.#extras) : body.streamed(this.#extras);
  }
}
