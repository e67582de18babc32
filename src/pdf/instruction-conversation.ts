import { bareConversation, type Conversation, type TextPart } from '../text/conversation.ts';
import type { DraftSampling } from './drafts/best-draft.ts';

const RULES = `Write one complete HTML document for the instruction below. It will be printed to PDF as it is.
Rules:
- Answer with the HTML only, from <!DOCTYPE html> to </html>: no explanation, no code fence.
- The document is self-contained: nothing is ever fetched and no script runs. Put all CSS into a <style> element. Do not refer to external images, fonts, style sheets or scripts; embed pictures as data: URIs or inline SVG, or leave them out.
- Give it a <title> and its language in the lang attribute.
- It is printed on A4 with margins of 15 mm unless an @page rule says otherwise.

Instruction:`;

/** The prompt of instruction mode. The rules are next to the instruction, so that the system prompt stays unchanged. */
export function instructionConversation(
  order: { readonly user: string; readonly system: string | undefined; readonly maxTokens: number },
  { temperature, seed, isSaidTwice = false, mostTokens = order.maxTokens }: DraftSampling = {},
): Conversation {
  const parts: readonly TextPart[] = [
    { type: 'text', text: RULES },
    { type: 'text', text: isSaidTwice ? `${order.user}\n\n${order.user}` : order.user },
  ];
  const turns: Conversation['turns'] = [{ role: 'user', parts }];
  const { system } = order;
  const maxTokens = Math.min(order.maxTokens, mostTokens);
  const conversation = bareConversation({ system, turns, toolChoice: 'none' }, { maxTokens, temperature });
  return { ...conversation, sampling: { ...conversation.sampling, seed } };
}
