import type { Abortable } from '../../access/admission.ts';
import type { Caller } from '../../access/caller.ts';
import type { Meter } from '../../access/meter.ts';
import type { StorageRoom } from '../../access/storage-room.ts';
import { Fault } from '../../faults/fault.ts';
import { andThen } from '../../lib/and-then.ts';
import type { HostedTools } from '../hosted-tools.ts';
import type { AnswerSink } from '../text-engine.ts';
import type { TextService } from '../text-service.ts';
import { checkModel } from '../wire/check-model.ts';
import type { AskedItems } from '../wire/responses/asked-items.ts';
import { conversationOf, type ReadResponse, readResponse } from '../wire/responses/read-response.ts';
import type { WrittenResponse } from '../wire/responses/response-object.ts';
import type { AskedResponse } from '../wire/responses/responses-conversation.ts';
import { type OpenedResponse, openResponse, type ResponseContext } from '../wire/responses/responses-wire.ts';
import type { ConversationStore } from './conversation-store.ts';
import { fitTurns } from './fit-turns.ts';
import { keptItems } from './kept-items.ts';
import { ResponseHistory } from './response-history.ts';
import type { NewResponse, ResponseOwner, ResponseStore } from './response-store.ts';
import { StoredAnswer } from './stored-answer.ts';

export interface ResponsesServiceParts {
  readonly text: Pick<TextService, 'count' | 'measure'>;
  readonly hosted: Pick<HostedTools, 'openTo'>;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly storage: Pick<StorageRoom, 'check'>;
}

/** A request for a response. */
export interface ResponseAsk extends Pick<ResponseContext, 'answerId' | 'created'> {
  readonly body: unknown;
  readonly meter: Meter;
  readonly request: Abortable;
}

/** A completed request. */
export interface CompletedRequest extends OpenedResponse {
  /** The response, with everything that is stored of its request; absent if nothing is. */
  readonly recordOf?: (response: WrittenResponse) => NewResponse;
}

/** Completes requests of the responses format by what is stored, and has their responses stored. */
export class ResponsesService {
  readonly #parts: ResponsesServiceParts;
  readonly #history: ResponseHistory;

  constructor(parts: ResponsesServiceParts) {
    this.#parts = parts;
    this.#history = new ResponseHistory(parts);
  }

  /** Throws every refusal that the model need not be asked for. A promise only if something is looked up. */
  open(caller: Caller, ask: ResponseAsk): CompletedRequest | Promise<CompletedRequest> {
    const read = readResponse(ask.body);
    const { fields } = read;
    checkModel(fields.model, caller.models);
    const stored = caller.stack.storesResponses && (fields.store ?? true);
    if (fields.background && !stored) throw backgroundNeedsStore(caller);
    return andThen(this.#history.resolve(read, caller.stack), (items) =>
      andThen(this.#fitted(caller, ask, { read, items }), (asked) => {
        const { answerId, created } = ask;
        const opened = openResponse(read, asked, { answerId, created, stored });
        if (!stored) return opened;
        const recordOf = recorder(caller, read, keptItems(items.input, `${answerId}_i`));
        return andThen(this.#requireRoom(caller), () => ({
          ...opened,
          recordOf,
          storing: (sink: AnswerSink) =>
            new StoredAnswer(opened, (response) => this.#save(recordOf(response)), sink),
        }));
      }),
    );
  }

  /** The tokens that the same request would read. */
  async count(caller: Caller, ask: Omit<ResponseAsk, 'answerId' | 'created'>): Promise<number> {
    const read = readResponse(ask.body);
    const items = await this.#history.resolve(read, caller.stack);
    const { conversation } = await this.#fitted(caller, ask, { read, items });
    const { meter, request } = ask;
    return await this.#parts.text.count(caller, { conversation, meter, signal: request.signal, request });
  }

  /** The conversation, without its oldest turns if it must be shortened and may be. */
  #fitted(
    caller: Caller,
    { meter, request }: Pick<ResponseAsk, 'meter' | 'request'>,
    { read, items }: { readonly read: ReadResponse; readonly items: AskedItems },
  ): AskedResponse | Promise<AskedResponse> {
    const asked = conversationOf(read, items, this.#parts.hosted.openTo(caller));
    if (read.fields.truncation !== 'auto') return asked;
    const { signal } = request;
    const measure = (conversation: AskedResponse['conversation']) =>
      this.#parts.text.measure(caller, { conversation, meter, signal, retrieval: true });
    return fitTurns(asked.conversation, measure).then((conversation) => ({ ...asked, conversation }));
  }

  #requireRoom(caller: Caller): undefined | Promise<void> {
    return caller.plan.limits.storageBytes === null ? undefined : this.#parts.storage.check(caller);
  }

  async #save(response: NewResponse): Promise<void> {
    try {
      await this.#parts.store.save(response);
    } catch (error) {
      throw notStored(error);
    }
  }
}

/** The caller as an owner. */
export function ownerOf({ stack, key }: Caller): ResponseOwner {
  return { accountId: stack.account, stackId: stack.id, keyId: key.id };
}

/** A response that cannot be stored is not answered as if it were. */
export function notStored(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const message = 'The response could not be stored. Ask again, or send `store: false`.';
  return new Fault('response-not-stored', message, { cause: error });
}

function recorder(
  caller: Caller,
  { fields, conversationId }: ReadResponse,
  input: NewResponse['input'],
): (response: WrittenResponse) => NewResponse {
  const previousId = fields.previous_response_id || undefined;
  return (response) => ({ owner: ownerOf(caller), response, input, previousId, conversationId });
}

function backgroundNeedsStore({ stack }: Caller): Fault {
  const message = stack.storesResponses
    ? '`background: true` needs a response that is stored; leave `store` out or set it to true.'
    : '`background: true` needs a response that is stored, and this stack stores none (`store: false`).';
  return new Fault('invalid-request', message, { param: 'background' });
}
