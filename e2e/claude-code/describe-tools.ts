import { describe, expect, it } from 'vitest';
import type { PlannedToolCall } from '../../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { PdfWriter, writtenLines } from '../../testing/reading/pdf-writer.ts';
import type { ChatBody, ClaudeGateway } from './claude-gateway.ts';

const served = '/v1/messages 200';
const twice = [served, served];
const argv = ['--output-format', 'json', '--allowedTools', 'Bash,Read'];
const pdf = planPdf();

/** Tool calls, and how their results reach the model. */
export function describeTools(claudeGateway: () => ClaudeGateway): void {
  describe('with tools', () => {
    it('runs one and returns its result', async () => {
      const claude = claudeGateway();
      claude.takeChats();
      claude.upstream.respond(
        { reasoning: 'Look first.', text: 'I look.', toolCalls: [bash('cat note.txt')] },
        { text: 'It is plum.' },
      );
      await using word = claude.run('Which word?', { argv, files: { 'note.txt': 'the word is plum\n' } });
      expect(await word.result()).toMatchObject({ is_error: false, result: 'It is plum.', num_turns: 2 });
      const [first, second, ...more] = claude.takeChats();
      expect(more).toEqual([]);
      // An unchanged prefix lets a server use its cache.
      expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
      expect(addedBy(first, second)).toMatchObject([
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'call_fake_0', function: { name: 'Bash' } }],
        },
        { role: 'tool', tool_call_id: 'call_fake_0', content: 'the word is plum' },
      ]);
      expect(await claude.takeAnswers(2)).toEqual(twice);
    });

    it('runs one after the other, also when the server gives all the same id', async () => {
      const claude = claudeGateway();
      const calls = ['echo one', 'echo two'].map((command) => ({ ...bash(command), id: '0' }));
      claude.upstream.respond(...calls.map((call) => ({ toolCalls: [call] })), { text: 'Both are run.' });
      await using both = claude.run('Run both.', { argv });
      expect(await both.result()).toMatchObject({ is_error: false, result: 'Both are run.', num_turns: 3 });
      const [first, , third] = claude.takeChats();
      expect(addedBy(first, third)).toMatchObject([
        { role: 'assistant', tool_calls: [{ id: '0' }] },
        { role: 'tool', tool_call_id: '0', content: 'one' },
        { role: 'assistant', tool_calls: [{ id: expect.stringMatching(/^call_/) }] },
        { role: 'tool', tool_call_id: expect.stringMatching(/^call_/), content: 'two' },
      ]);
      expect(await claude.takeAnswers(3)).toEqual([...twice, served]);
    });

    it('runs several at once, also when one fails', async () => {
      const claude = claudeGateway();
      const toolCalls = [bash('cat note.txt'), read('note.txt'), bash('exit 3')];
      claude.upstream.respond({ toolCalls, interleaved: true }, { text: 'Done.' });
      await using word = claude.run('Which word?', { argv, files: { 'note.txt': 'plum\n' } });
      expect(await word.result()).toMatchObject({ is_error: false, result: 'Done.' });
      const [first, second] = claude.takeChats();
      const [calls, ...results] = addedBy(first, second);
      expect(calls).toMatchObject({ role: 'assistant', tool_calls: { length: 3 } });
      expect(new Set(results)).toEqual(
        new Set([
          { role: 'tool', tool_call_id: 'call_fake_0', content: 'plum' },
          { role: 'tool', tool_call_id: 'call_fake_1', content: expect.stringContaining('plum') },
          { role: 'tool', tool_call_id: 'call_fake_2', content: expect.stringContaining('Exit code 3') },
        ]),
      );
      expect(await claude.takeAnswers(2)).toEqual(twice);
    });

    it.each([
      { stack: 'usual', how: 'in words to a model that cannot see', sent: '[image: PNG 64×32' },
      {
        stack: 'seeing',
        how: 'as it is to one that can',
        sent: '"image_url":{"url":"data:image/png;base64,',
      },
    ] as const)('shows a picture $how', async ({ stack, sent }) => {
      const claude = claudeGateway();
      claude.upstream.respond({ toolCalls: [read('map.png')] }, { text: 'A map.' });
      const files = { 'map.png': makePng({ width: 64, height: 32 }) };
      await using look = claude.run('What is on it?', { stack, argv, files });
      expect(await look.result()).toMatchObject({ is_error: false, result: 'A map.' });
      const [first, second] = claude.takeChats();
      const added = addedBy(first, second);
      expect(added.map(({ role }) => role).slice(0, 2)).toEqual(['assistant', 'tool']);
      expect(JSON.stringify(added)).toContain(sent);
      expect(await claude.takeAnswers(2)).toEqual(twice);
    });

    it('gives the text of a PDF', async () => {
      const claude = claudeGateway();
      claude.upstream.respond({ toolCalls: [read('plan.pdf')] }, { text: 'A plan.' });
      await using look = claude.run('What is in it?', { argv, files: { 'plan.pdf': pdf } });
      expect(await look.result()).toMatchObject({ is_error: false, result: 'A plan.' });
      const [first, second] = claude.takeChats();
      expect(addedBy(first, second).at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringMatching(
          /^PDF file read: .*\n\[document: PDF, 1 page:\]\nMeet at noon\.\n\[end\]$/,
        ),
      });
      expect(await claude.takeAnswers(2)).toEqual(twice);
    });

    it('finds a tool that was not loaded and offers it to the model', async () => {
      const claude = claudeGateway();
      const search = { name: 'ToolSearch', arguments: { query: 'select:WebFetch' } };
      claude.upstream.respond({ toolCalls: [search] }, { text: 'Found.' });
      await using found = claude.run('Find it.', { argv });
      expect(await found.result()).toMatchObject({ is_error: false, result: 'Found.' });
      const [first, second] = claude.takeChats();
      expect(addedBy(first, second)[1]).toMatchObject({ role: 'tool', content: '[tool loaded: WebFetch]' });
      const isOffered = (chat: ChatBody | undefined) =>
        JSON.stringify(chat?.tools).includes('"name":"WebFetch"');
      expect([isOffered(first), isOffered(second)]).toEqual([false, true]);
      expect(await claude.takeAnswers(2)).toEqual(twice);
    });
  });
}

function bash(command: string): PlannedToolCall {
  return { name: 'Bash', arguments: { command, description: 'Look' } };
}

function read(name: string): PlannedToolCall {
  return { name: 'Read', arguments: { file_path: name } };
}

/** The messages that a later request adds to an earlier one. */
function addedBy(first: ChatBody | undefined, second: ChatBody | undefined): ChatBody['messages'] {
  return second?.messages.slice(first?.messages.length) ?? [];
}

function planPdf(): Buffer {
  const writer = new PdfWriter();
  writer.addPage({ content: writtenLines(['Meet at noon.']), fonts: { F: writer.standardFont() } });
  return writer.build();
}
