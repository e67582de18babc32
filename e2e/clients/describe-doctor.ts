import { describe, expect, it } from 'vitest';
import { type ClientGateway, clientKey } from './client-gateway.ts';

/** The doctor as a client. It leaves a gateway with a broken model behind. */
export function describeDoctor(gateway: () => ClientGateway): void {
  describe('stackgate doctor --client', () => {
    it('finds nothing wrong with a gateway, by the key of its configuration', async () => {
      const { code, stdout, stderr } = await gateway().command([
        'doctor',
        '--client',
        '--url',
        gateway().url,
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(
        stdout.replaceAll(/\d+ tokens/g, 'N tokens').replaceAll(/\d+ out/g, 'N out'),
      ).toMatchInlineSnapshot(`
      "CALL              RESULT  FOUND
      models            ok      org/model-x, other
      chat              ok      N tokens in, N out
      chat stream       ok      N tokens in, N out
      messages          ok      N tokens in, N out
      messages stream   ok      N tokens in, N out
      count_tokens      ok      N tokens, as in the usage
      responses         ok      N tokens in, N out
      responses stream  ok      N tokens in, N out
      responses tool    ok      report({"ready":true})
      input_tokens      ok      N tokens, as in the usage
      "
    `);
    });

    it('tells of a wrong key as JSON, with exit code 3', async () => {
      const wrong = ['--url', gateway().url, '--key', 'sk-this-is-not-one'];
      const { code, stdout, stderr } = await gateway().command(['doctor', '--json', '--client', ...wrong]);
      expect({ code, stderr }).toEqual({ code: 3, stderr: 'stackgate: 1 of 1 checks failed\n' });
      const message = expect.stringContaining('the answer is 401');
      expect(JSON.parse(stdout)).toEqual([{ check: 'models', result: 'failure', message }]);
    });

    it('tells of a model that fails', async () => {
      gateway().breakModel();
      const asked = ['doctor', '--client', '--url', gateway().url, '--key', clientKey];
      const { code, stdout } = await gateway().command(asked);
      expect(code).toBe(3);
      expect(stdout).toMatch(/^models +ok/m);
      expect(stdout).toMatch(/^chat +FAILURE +the answer is 502/m);
      expect(stdout).toMatch(/^messages stream +FAILURE/m);
      expect(stdout).toMatch(/^count_tokens +ok/m);
    });
  });
}
