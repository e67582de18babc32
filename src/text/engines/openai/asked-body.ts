import type { Fault } from '../../../faults/fault.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import type { OutputForm } from '../../conversation.ts';
import type { CacheSalts } from './cache-salts.ts';
import type { ModelServer } from './model-server.ts';
import type { RunningUsage } from './running-usage.ts';
import type { SchemaForm } from './schema-forms.ts';
import type { WrittenBody } from './written-body.ts';

export interface AskedBodyOptions {
  readonly output: OutputForm;
  /** Writes the request with its schema in a form; without a schema the form makes no difference. */
  readonly write: (form: SchemaForm) => WrittenBody;
  readonly inOnePiece: boolean;
  /** Where usage is asked for in every chunk. */
  readonly runningUsage: RunningUsage | undefined;
  /** Where a salt is sent. */
  readonly salts: CacheSalts | undefined;
}

/** How a server refused. */
export interface ServerRefusal {
  readonly text: string;
  readonly fault: Fault;
}

type Json = string | JsonBytes;

/** What the servers of one call are sent: each its own form of the schema, and where it refuses that, perhaps another. */
export class AskedBody {
  readonly #options: AskedBodyOptions;
  #server: ModelServer | undefined;
  #form: SchemaForm = 'json_schema';
  #triedForms: readonly SchemaForm[] = [];
  #countsInEveryChunk: boolean;
  #isSalted: boolean;

  constructor(options: AskedBodyOptions) {
    this.#options = options;
    this.#countsInEveryChunk = options.runningUsage !== undefined;
    this.#isSalted = options.salts !== undefined;
  }

  /** The server that was asked last. */
  get server(): string | undefined {
    return this.#server?.baseUrl;
  }

  /** The form that it was asked in. */
  get form(): SchemaForm {
    return this.#form;
  }

  for(server: ModelServer): Json {
    this.#server = server;
    if (this.#options.output.type !== 'schema') return this.#written();
    this.#triedForms = [];
    return this.#inForm(server.schemaForms.current);
  }

  /** What the server is sent instead; `undefined`: nothing else will do. Never rejects. */
  insteadOf({ text, fault }: ServerRefusal): Json | undefined | Promise<Json | undefined> {
    if (this.#leavesOutWhatIsNamedIn(text)) return this.#written();
    if (this.#options.output.type !== 'schema' || fault.code !== 'engine-refused') return undefined;
    return this.#inAnotherForm(this.#options.output.isVerified ?? false);
  }

  /** A server has begun to answer. */
  accepted(): void {
    const { salts } = this.#options;
    if (salts !== undefined && !this.#isSalted) salts.learnRefusal();
  }

  /** Whether what was written under the schema satisfies it. */
  checked(fits: boolean): void {
    this.#server?.schemaForms.answered(this.#form, fits);
  }

  #leavesOutWhatIsNamedIn(refusal: string): boolean {
    const { runningUsage, salts } = this.#options;
    const isCountRefused = this.#countsInEveryChunk && runningUsage?.isRefusedBy(refusal) === true;
    const isSaltRefused = this.#isSalted && salts?.isNamedIn(refusal) === true;
    if (isCountRefused) this.#countsInEveryChunk = false;
    if (isSaltRefused) this.#isSalted = false;
    return isCountRefused || isSaltRefused;
  }

  async #inAnotherForm(isVerified: boolean): Promise<Json | undefined> {
    const found = await this.#server?.schemaForms.afterRefusal(this.#form);
    // One who validates the answer and knows what to do about it is helped by words more than by nothing.
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
    const isSalted = this.#isSalted;
    if (this.#options.inOnePiece) return body.whole({ isSalted });
    return body.streamed({ isCounted: this.#countsInEveryChunk, isSalted });
  }
}
