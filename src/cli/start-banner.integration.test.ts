import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import type { DefaultKey } from '../admin/configured-stacks.ts';
import { modelBanner } from './start-banner.ts';

const url = 'http://127.0.0.1:8080';

function banner(model: string, defaultKey?: DefaultKey, showsSecrets = true): string {
  return modelBanner(url, { generated: [], defaultKey }, { model, showsSecrets });
}

/** The arguments curl gets if the line is pasted into a shell. */
function argumentsOf(text: string): readonly string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\nSTACKGATE_KEY=sk-own\n${text.split('\n')[1]}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('the chat line', () => {
  it('can be pasted into a shell, with the key that was just shown', () => {
    const text = banner('tiny', { path: '/data/default-key', secret: 'sk-first', isNew: true });
    expect(text.split('\n')[0]).toContain('The model tiny is ready.');
    const [address, , key, , type, , body] = argumentsOf(text);
    expect([address, key, type]).toEqual([
      `${url}/v1/chat/completions`,
      'Authorization: Bearer sk-first',
      'Content-Type: application/json',
    ]);
    expect(JSON.parse(body ?? '')).toMatchObject({ model: 'tiny', messages: [{ role: 'user' }] });
  });

  it('reads the key from its file at later starts, whatever the names are', () => {
    const path = join(makeDataFolder(), "it's a key");
    writeFileSync(path, 'sk-kept');
    const text = banner("it's", { path, secret: 'sk-kept', isNew: false });
    expect(text).not.toContain('sk-kept');
    const [, , key, , , , body] = argumentsOf(text);
    expect(key).toBe('Authorization: Bearer sk-kept');
    expect(JSON.parse(body ?? '')).toMatchObject({ model: "it's" });
  });

  it('reads the key from its file also at the first start where secrets are not shown', () => {
    const text = banner('tiny', { path: '/data/default-key', secret: 'sk-first', isNew: true }, false);
    expect(text).toContain('$(cat /data/default-key)');
    expect(text).not.toContain('sk-first');
  });

  it.each([undefined, { path: '/data/default-key', secret: undefined, isNew: false }])(
    'takes the key from a variable where none can be shown',
    (defaultKey) => {
      expect(argumentsOf(banner('tiny', defaultKey))[2]).toBe('Authorization: Bearer sk-own');
    },
  );
});
