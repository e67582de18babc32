import type { Part, TextPart, Turn } from './conversation.ts';

// "And for books?" alone finds nothing; eight words usually name their subject.
const SHORT_WORDS = 8;
const SHORT_CHARACTERS = 50;
const CONTEXT_CHARACTERS = 400;

/** The question to search the knowledge base for: the last user message, with the messages before it if it is short. Empty if there is none. */
export function retrievalQuestion(turns: readonly Turn[]): string {
  const asked = turns.findLastIndex((turn) => userText(turn) !== '');
  const question = userText(turns[asked]);
  if (question === '' || !isShort(question)) return question;
  const earlier = turns.slice(0, asked);
  const previous = [lastText(earlier, userText), lastText(earlier, assistantText)];
  return [...previous.map((text) => text.slice(0, CONTEXT_CHARACTERS)), question].filter(Boolean).join('\n');
}

function isShort(question: string): boolean {
  // Chinese and Japanese have no spaces between words, so both limits must hold.
  return question.length < SHORT_CHARACTERS && question.split(/\s+/u).length < SHORT_WORDS;
}

/** The text of a user's turn, without reminders that the client added. */
function userText(turn: Turn | undefined): string {
  if (turn?.role !== 'user') return '';
  const isSaid = (part: Part): part is TextPart => part.type === 'text' && part.isReminder !== true;
  return turn.parts
    .filter(isSaid)
    .map((part) => part.text)
    .join('\n')
    .trim();
}

function assistantText(turn: Turn): string {
  return turn.role === 'assistant' ? turn.text.trim() : '';
}

function lastText(turns: readonly Turn[], textOf: (turn: Turn) => string): string {
  return turns.map(textOf).findLast((text) => text !== '') ?? '';
}
