import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import type { Config } from '../config/config.ts';
import { clientTarget } from './client-target.ts';

const withKey = `
stacks:
  - { id: shop, account: acme, keys: [{ id: generated }, { id: web, secret: sk-of-the-configuration }] }
`;

describe('clientTarget', () => {
  it('comes from the options', async () => {
    const said = { url: 'https://ai.example.com/', key: 'sk-mine' };
    const target = { url: 'https://ai.example.com', key: 'sk-mine' };
    expect(await clientTarget(configOf(withKey), said)).toEqual(target);
  });

  it('is the configured address with the first configured key', async () => {
    const target = { url: 'http://127.0.0.1:9000', key: 'sk-of-the-configuration' };
    expect(await clientTarget(configOf(withKey), {})).toEqual(target);
  });

  it('takes the key of the quick start where none is configured', async () => {
    const config = configOf('');
    await expect(clientTarget(config, {})).rejects.toThrow('no key is known');
    writeFileSync(join(config.dataDir, 'default-key'), 'sk-of-the-quick-start\n');
    expect(await clientTarget(config, {})).toMatchObject({ key: 'sk-of-the-quick-start' });
  });
});

function configOf(text: string): Config {
  return parseTestConfig(text, { STACKGATE_DATA: makeDataFolder(), STACKGATE_PORT: '9000' });
}
