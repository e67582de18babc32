import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ClaudeGateway, SMALL_WINDOW_TOKENS } from './claude-gateway.ts';
import { asStream } from './claude-run.ts';
import { Gate } from './gate.ts';
import { RecordingProxy } from './recording-proxy.ts';

const LEAVING_BOUND_MS = 10_000;
const RESERVED_TOKENS = 16_000;
const served = '/v1/messages 200';
const refused = '/v1/messages 400';

/** Failing upstreams, prompts that do not fit, and users who stop. */
export function describeTrouble(claudeGateway: () => ClaudeGateway): void {
  describe('in trouble', () => {
    it('asks again when the upstream fails before the first word', async () => {
      const claude = claudeGateway();
      claude.upstream.respond({ fail: { mode: 'status', status: 500 } }, { text: 'Now it works.' });
      await using hello = claude.run('hi');
      expect(await hello.result()).toMatchObject({ is_error: false, result: 'Now it works.' });
      // The failure is an event of a started stream.
      expect(await claude.takeAnswers(2)).toEqual([served, served]);
    });

    it('asks again, without streaming, when the upstream fails in the midst of a text', async () => {
      const claude = claudeGateway();
      const gate = new Gate();
      const fail = { mode: 'reset-mid-stream', afterEvents: 2 } as const;
      claude.upstream.respond(
        { text: ['Half', ' a text'], fail, beforeCut: () => gate.opened },
        { text: 'A whole text.' },
      );
      await using proxy = await RecordingProxy.start(claude.gateway.url);
      const environment = { ...claude.settingsFor('usual'), ANTHROPIC_BASE_URL: proxy.url };
      await using hello = claude.run('hi', { argv: asStream, environment });
      await hello.firstPiece();
      gate.open();
      expect(await hello.result()).toMatchObject({ is_error: false, result: 'A whole text.' });
      expect(proxy.requests.map(({ body }) => JSON.parse(body).stream === true)).toEqual([true, false]);
      expect(await claude.takeAnswers(2)).toEqual([served, served]);
    });

    it('says that its very first prompt is too long for a small context window', async () => {
      const claude = claudeGateway();
      await using hello = claude.run('hi', { stack: 'small' });
      const limit = SMALL_WINDOW_TOKENS - RESERVED_TOKENS;
      expect(await hello.result()).toMatchObject({
        is_error: true,
        api_error_status: 400,
        terminal_reason: 'prompt_too_long',
        result: expect.stringMatching(
          `^Prompt is too long · the request is ~\\d+ tokens \\(limit ${limit}\\)`,
        ),
      });
      expect(await claude.takeAnswers(1)).toEqual([refused]);
    });

    it('sums up a conversation that has become too long, and goes on', async () => {
      const claude = claudeGateway();
      const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt'];
      const files = Object.fromEntries(
        names.map((name) => [name, `${name} and some more words\n`.repeat(1_500)]),
      );
      const reads = names.map((name) => ({ toolCalls: [{ name: 'Read', arguments: { file_path: name } }] }));
      claude.upstream.respond(
        ...reads,
        { text: '<summary>Four files.</summary>' },
        { text: 'All are read.' },
      );
      const argv = ['--output-format', 'json', '--allowedTools', 'Read'];
      await using long = claude.run('Read all files.', { stack: 'tight', argv, files });
      expect(await long.result()).toMatchObject({ is_error: false, result: 'All are read.' });
      const chats = claude.takeChats();
      expect(JSON.stringify(chats.at(-1)?.messages)).toContain('Four files.');
      const answers = await claude.takeAnswers(chats.length + 1);
      expect(new Set(answers)).toEqual(new Set([served, refused, '/v1/messages/count_tokens 200']));
    });

    it.each([
      {
        signal: 'SIGINT',
        fail: { mode: 'stall-mid-stream', afterEvents: 2 },
        when: 'in the midst of a text',
      },
      {
        signal: 'SIGKILL',
        fail: { mode: 'stall-mid-stream', afterEvents: 2 },
        when: 'in the midst of a text',
      },
      { signal: 'SIGINT', fail: { mode: 'stall-before-headers' }, when: 'before the first word' },
    ] as const)('frees everything when $signal stops it $when', async ({ signal, fail }) => {
      const claude = claudeGateway();
      claude.takeChats();
      claude.upstream.respond({ text: ['Half', ' a text'], fail });
      await using hello = claude.run('hi', { argv: asStream });
      if (fail.mode === 'stall-mid-stream') await hello.firstPiece();
      else await eventually('the upstream is asked', () => claude.takeChats().length > 0 || undefined);
      const gone = claude.upstream.clientGone(AbortSignal.timeout(LEAVING_BOUND_MS));
      await hello.end(signal);
      expect((await gone).path).toBe('/v1/chat/completions');
      expect(await claude.takeAnswers(1)).toEqual(['/v1/messages 499']);
      expect(claude.upstream.activeRequests).toBe(0);
      // The request for the metrics is the one.
      expect(await claude.gateway.inFlight()).toBe(1);
    });
  });
}
