import type { ItemStatus } from './output-item.ts';

/** Sent instead of an answer that the server's filter ended. */
export const REFUSAL = 'The model server ended this answer by its filter.';

export function textPart(text: string, annotations: readonly object[]): object {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

/** A message as JSON, of a text and parts that are JSON already: nearly every answer is one, and deltas have come before it. */
export function messageText(
  { id, status }: { readonly id: string; readonly status: ItemStatus },
  parts: string,
): string {
  return `{"id":"${id}","type":"message","status":"${status}","role":"assistant","content":[${parts}]}`;
}

/** A part of a message as JSON, of members that are JSON already. */
export function textPartText(text: string, annotations = '[]'): string {
  return `{"type":"output_text","text":${text},"annotations":${annotations},"logprobs":[]}`;
}

export function refusalPart(refusal: string): object {
  return { type: 'refusal', refusal };
}
