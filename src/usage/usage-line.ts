import type { EndedRequest, Outcome } from '../access/usage-recorder.ts';
import type { LineBuffer } from './line-buffer.ts';

/** One request as it stands in the journal. */
export interface JournaledRequest
  extends Omit<
    EndedRequest,
    'caller' | 'endpoint' | 'model' | 'settledDay' | 'settledTokens' | 'settledMoney'
  > {
  /** The place of its row in the segment. */
  readonly row: number;
  readonly settledDay: string | undefined;
  readonly settledTokens: number;
}

const MICROSECONDS = 1_000;

/** Writes the line of a request. Done for every request, so without strings in between. */
export function writeRequestLine(line: LineBuffer, row: number, request: EndedRequest): void {
  line.begin('u');
  line.number(row);
  line.number(request.promptTokens);
  line.number(request.completionTokens);
  line.number(request.pages);
  line.number(request.images);
  line.number(request.pdfPages);
  line.word(request.outcome);
  line.number(Math.round(request.latencyMs * MICROSECONDS));
  line.number(request.costMicros);
  if (request.settledDay !== undefined) {
    line.word(request.settledDay);
    line.number(request.settledTokens);
  }
  line.end();
}

/** The request of a line; undefined if it is none, or not whole. */
export function parseRequestLine(line: string): JournaledRequest | undefined {
  const [mark, row, prompt, completion, pages, images, pdfPages, outcome, latency, cost, day, settled] =
    line.split(' ');
  if (mark !== 'u' || cost === undefined || !isOutcome(outcome)) return undefined;
  const request = {
    row: Number(row),
    promptTokens: Number(prompt),
    completionTokens: Number(completion),
    pages: Number(pages),
    images: Number(images),
    pdfPages: Number(pdfPages),
    latencyMs: Number(latency) / MICROSECONDS,
    costMicros: Number(cost),
    settledTokens: Number(settled ?? 0),
  };
  return Object.values(request).every(Number.isFinite) ? { ...request, outcome, settledDay: day } : undefined;
}

const OUTCOMES: readonly string[] = ['ok', 'client', 'limit', 'server', 'gone'] satisfies Outcome[];

function isOutcome(text: string | undefined): text is Outcome {
  return text !== undefined && OUTCOMES.includes(text);
}
