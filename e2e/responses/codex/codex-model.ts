import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedRequest, ReplyPlan } from '../../../testing/fake-upstream/fake-upstream.mjs';
import { PdfWriter, writtenLines } from '../../../testing/reading/pdf-writer.ts';
import { chatPath } from '../../clients/scenarios.ts';

/** Longer than three of Codex's idle time-outs in the tests. */
const SILENCE_MS = 30_000;
/** A text that only the document of an extraction has. */
const INVOICE = 'Invoice 4711';
const toolCalls = [
  { name: 'generate_image', arguments: { prompt: 'a red fox', seed: 7 } },
  { name: 'generate_pdf', arguments: { html: '<h1>Hello</h1>' } },
  {
    name: 'extract_document',
    arguments: {
      file: `data:application/pdf;base64,${invoicePdf().toString('base64')}`,
      schema: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
    },
  },
];
const PATCH = '*** Begin Patch\n*** Add File: note.txt\n+written by a patch\n*** End Patch\n';

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

/** The state of a conversation: the results of tools so far, and how often its prompt was asked before. */
interface Asked {
  readonly results: readonly string[];
  readonly earlier: number;
}

type Plan = (asked: Asked) => ReplyPlan;

/** The behaviour by the first words of the prompt. */
const PLANS: Readonly<Record<string, Plan>> = {
  'Codex, hello': () => ({ reasoning: 'They greet me.', text: 'Hello from behind the gateway.' }),
  'Codex, run a command': callThenTell('exec_command', { cmd: 'echo made-by-$((6 * 7))' }),
  'Codex, write a file': callThenTell('apply_patch', { input: PATCH }),
  'Codex, light the lamp': callThenTell('light', { colour: 'red' }),
  'Codex, use your tools': ({ results }) => {
    const [paint, print, extract] = toolCalls;
    const call = [paint, print, extract][results.length];
    return call === undefined ? { text: `The tools said: ${results.join(' ')}` } : { toolCalls: [call] };
  },
  [INVOICE]: () => ({ text: '{"total": 12.5}' }),
  'Codex, try again': ({ earlier }) =>
    earlier === 0 ? { fail: { mode: 'status', status: 503, retryAfter: 1 } } : { text: 'Now it works.' },
  'Codex, be patient': () => ({
    text: ['Thank you', ' for waiting.'],
    beforePiece: (index) => (index === 0 ? delay(SILENCE_MS) : undefined),
  }),
};

/** The model behind Codex. */
export class CodexModel {
  readonly #asked = new Map<string, number>();

  /** Undefined if another client asks. */
  planFor({ path, body }: RecordedRequest): ReplyPlan | undefined {
    const messages: readonly Message[] = path === chatPath ? Object(body).messages : [];
    const textsOf = (wanted: string) =>
      messages.filter(({ role }) => role === wanted).map(({ content }) => textOf(content));
    const prompts = textsOf('user');
    const isAsked = (words: string) => prompts.some((prompt) => prompt.includes(words));
    const found = Object.entries(PLANS).find(([words]) => isAsked(words));
    if (found === undefined) return undefined;
    const [words, plan] = found;
    const earlier = this.#asked.get(words) ?? 0;
    this.#asked.set(words, earlier + 1);
    return plan({ results: textsOf('tool'), earlier });
  }
}

/** Calls the tool, then repeats its result. */
function callThenTell(name: string, given: Readonly<Record<string, unknown>>): Plan {
  return ({ results }) =>
    results.length === 0
      ? { toolCalls: [{ name, arguments: given }] }
      : { text: `The tool said: ${results.join(' ')}` };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('');
}

function invoicePdf(): Buffer {
  const writer = new PdfWriter();
  const content = writtenLines([INVOICE, 'Total: 12.50 EUR']);
  writer.addPage({ content, fonts: { F: writer.standardFont() } });
  return writer.build();
}
