import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { chatBanner } from './start-banner.ts';

const url = 'http://127.0.0.1:8080';

/** What curl would be called with. */
function argumentsOf(banner: string): readonly string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${banner.split('\n')[1]}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('the chat line', () => {
  it('can be pasted into a shell, with the key that was just shown', () => {
    const defaultKey = { path: '/data/default-key', secret: 'sk-first', isNew: true };
    const banner = chatBanner(url, { model: 'smollm2-135m-instruct', defaultKey });
    expect(banner.split('\n')[0]).toBe('The model smollm2-135m-instruct is ready. Try it:');
    const [address, , key, , type, , body] = argumentsOf(banner);
    expect([address, key, type]).toEqual([
      `${url}/v1/chat/completions`,
      'Authorization: Bearer sk-first',
      'Content-Type: application/json',
    ]);
    expect(JSON.parse(body ?? '')).toMatchObject({
      model: 'smollm2-135m-instruct',
      messages: [{ role: 'user' }],
    });
  });

  it('reads the key from its file at later starts', () => {
    const path = join(makeDataFolder(), "it's a key");
    writeFileSync(path, 'sk-kept');
    const banner = chatBanner(url, { model: "it's", defaultKey: { path, secret: 'sk-kept', isNew: false } });
    expect(banner).not.toContain('sk-kept');
    expect(argumentsOf(banner)[2]).toBe('Authorization: Bearer sk-kept');
  });

  it('is left out where no key can be shown', () => {
    expect(chatBanner(url, { model: 'tiny', defaultKey: undefined })).toBe('The model tiny is ready.\n');
    const defaultKey = { path: '/data/default-key', secret: undefined, isNew: false };
    expect(chatBanner(url, { model: 'tiny', defaultKey })).toBe('The model tiny is ready.\n');
  });
});
