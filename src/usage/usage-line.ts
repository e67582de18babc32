import type { EndedRequest, Outcome } from '../access/usage-recorder.ts';

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

/** The line of a request. Written for every request, so it is put together by hand. */
export function requestLine(row: number, request: EndedRequest): string {
  const { promptTokens, completionTokens, pages, images, pdfPages, outcome, latencyMs, costMicros } = request;
  const { settledDay, settledTokens } = request;
  const used = `${promptTokens} ${completionTokens} ${pages} ${images} ${pdfPages}`;
  const settled = settledDay === undefined ? '' : ` ${settledDay} ${settledTokens}`;
  return `u ${row} ${used} ${outcome} ${Math.round(latencyMs * MICROSECONDS)} ${costMicros}${settled}\n`;
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
