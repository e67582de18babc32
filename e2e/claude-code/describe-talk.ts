import { describe, expect, it } from 'vitest';
import { countPromptTokens } from '../../testing/fake-upstream/prompt-tokens.mjs';
import { type ClaudeGateway, keyOf } from './claude-gateway.ts';
import { asStream } from './claude-run.ts';
import { Gate } from './gate.ts';
import { RecordingProxy } from './recording-proxy.ts';

const served = '/v1/messages 200';
const counted = '/v1/messages/count_tokens 200';

/** Prompts and answers without tools. */
export function describeTalk(claudeGateway: () => ClaudeGateway): void {
  describe('in talk', () => {
    it('prints what the model says, and counts the prompt as the upstream does', async () => {
      const claude = claudeGateway();
      claude.upstream.respond({ text: 'Hello from behind the gateway.' });
      await using hello = claude.run('hi');
      const result = await hello.result();
      const [chat, ...more] = claude.takeChats();
      expect(more).toEqual([]);
      expect(result).toMatchObject({
        is_error: false,
        result: 'Hello from behind the gateway.',
        stop_reason: 'end_turn',
        usage: { input_tokens: countPromptTokens(chat ?? {}), output_tokens: 8 },
      });
      expect(await claude.takeAnswers(1)).toEqual([served]);
    });

    it('needs no more settings than the address and the key', async () => {
      const claude = claudeGateway();
      const environment = { ANTHROPIC_BASE_URL: claude.gateway.url, ANTHROPIC_AUTH_TOKEN: keyOf('usual') };
      await using hello = claude.run('hi', { environment });
      expect(await hello.result()).toMatchObject({
        is_error: false,
        result: 'Hello from the fake upstream.',
      });
      const [chat] = claude.takeChats();
      expect(chat).toMatchObject({ max_tokens: 16_000, messages: [{ role: 'system' }, { role: 'user' }] });
      expect(JSON.stringify(chat)).toContain('# Environment');
      // It changes with every request and would defeat a server's cache.
      expect(JSON.stringify(chat)).not.toContain('x-anthropic-billing-header');
      expect(await claude.takeAnswers(1)).toEqual([served]);
    });

    it('shows text as it comes', async () => {
      const claude = claudeGateway();
      const gate = new Gate();
      const beforePiece = (index: number) => (index === 2 ? gate.opened : undefined);
      claude.upstream.respond({ text: ['Hel', 'lo'], beforePiece });
      await using hello = claude.run('hi', { argv: asStream });
      await hello.firstPiece();
      expect(hello.shownPieces).toEqual(['Hel']);
      gate.open();
      expect(await hello.result()).toMatchObject({ is_error: false, result: 'Hello' });
      expect(hello.shownPieces).toEqual(['Hel', 'lo']);
      expect(await claude.takeAnswers(1)).toEqual([served]);
    });

    it('costs what count_tokens says of the same request', async () => {
      const claude = claudeGateway();
      await using proxy = await RecordingProxy.start(claude.gateway.url);
      const environment = { ...claude.settingsFor('usual'), ANTHROPIC_BASE_URL: proxy.url };
      await using hello = claude.run('hi', { environment });
      const result = await hello.result();
      expect(proxy.requests.map(({ path }) => path)).toEqual(['/v1/messages?beta=true']);
      const count = await claude.gateway.request('/v1/messages/count_tokens?beta=true', {
        method: 'POST',
        key: keyOf('usual'),
        headers: { 'content-type': 'application/json' },
        body: proxy.requests[0]?.body ?? '',
      });
      expect(count.json()).toEqual({ input_tokens: expect.any(Number) });
      expect(result).toMatchObject({ usage: count.json() });
      expect(await claude.takeAnswers(2)).toEqual([served, counted]);
    });

    it('counts the parts of its prompt by many requests at once', async () => {
      const claude = claudeGateway();
      await using context = claude.run('/context');
      const result = await context.result();
      expect(result).toMatchObject({
        is_error: false,
        result: expect.stringMatching(/\| System tools \| [\d.]+k/),
      });
      const answers = await claude.takeAnswers(20);
      expect(new Set(answers)).toEqual(new Set([counted]));
    });
  });
}
