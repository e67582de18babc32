import type { FaultCode } from '../../faults/fault-table.ts';
import { andThen } from '../../lib/and-then.ts';
import type { HostedTools } from '../../text/hosted-tools.ts';
import type { TextService } from '../../text/text-service.ts';
import type { TextRequest, WireContext } from '../../text/text-wire.ts';
import type { Delivery } from '../answer.ts';
import type { KeyRequest } from '../route.ts';
import type { StreamWatch } from '../stream-watch.ts';
import { TextDelivery } from '../text-delivery.ts';

/** The faults of every route that asks a text engine. */
export const engineFaults: readonly FaultCode[] = [
  'invalid-request',
  'file-too-large',
  'context-length-exceeded',
  'engine-refused',
  'model-not-allowed',
  'engine-failed',
  'engine-overloaded',
  'model-not-ready',
  'too-many-counts',
  'engine-timeout',
];

export interface TextRouteParts {
  readonly service: TextService;
  readonly watch: StreamWatch;
  readonly hosted: HostedTools;
}

/** Asks the service, and makes a delivery the sink of the answer, behind the one that stores it. */
export function deliverText(
  { service, watch, hosted }: TextRouteParts,
  text: TextRequest,
  request: KeyRequest,
): Delivery | Promise<Delivery> {
  const { caller, meter } = request;
  const { conversation, passthrough, countFirst, streaming, showsKnowledge } = text;
  const delivery = new TextDelivery(text, watch);
  const inOnePiece = !streaming;
  const ask = { conversation, passthrough, countFirst, inOnePiece, showsKnowledge, meter, request };
  const sink = text.storing === undefined ? delivery : text.storing(delivery);
  const answering =
    text.hosted === undefined
      ? service.answer(caller, ask, sink)
      : hosted.answer(caller, { ...ask, hosted: text.hosted }, sink);
  return andThen(answering, (answer) => delivery.of(answer));
}

/** The id and time of an answer. */
export function answerIdentity(requestId: string): Pick<WireContext, 'answerId' | 'created'> {
  return {
    // Part of the request's id, so that an answer can be found in the log.
    answerId: requestId.slice(requestId.indexOf('_') + 1),
    created: Math.floor(Date.now() / 1000),
  };
}
