import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../testing/certificates.mjs';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import type { Config, OpenAiConfig } from './config.ts';
import { renewCredentials, withCredentialFiles } from './credential-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackgate-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = () =>
  withCredentialFiles(
    parseTestConfig(`
engines:
  text:
    gpu:
      { kind: openai, base_url: "https://h/v1", model: m, api_key_file: ${folder}/key,
        tls: { ca: ${folder}/ca.pem, certificate: ${folder}/own.pem, key: ${folder}/own-key.pem } }
  image: { flux: { kind: openai-images, base_url: "https://h/v1", model: m, api_key_file: ${folder}/key } }
`),
  );
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const writeOwn = ({ certificate, key }: Certificate) => {
  write('own.pem', certificate);
  write('own-key.pem', key);
};
const gpu = ({ engines }: Config) => engines.text.gpu as OpenAiConfig;

it('keys and certificates of model servers come from files, and change when they are read again', async () => {
  const [authority, first, second] = [makeCertificate(), makeCertificate(), makeCertificate()];
  write('ca.pem', authority.certificate);
  write('key', 'first key\n');
  writeOwn(first);
  const running = await read();
  const { apiKey, certificates } = gpu(running);
  expect([apiKey, certificates?.ca, certificates?.key].map((secret) => secret?.reveal())).toEqual([
    'first key',
    authority.certificate.trim(),
    first.key.trim(),
  ]);
  expect(JSON.stringify(running.engines)).not.toContain('first key');
  write('key', 'second key');
  writeOwn(second);
  renewCredentials(running.engines, (await read()).engines);
  expect([apiKey?.reveal(), certificates?.certificate?.reveal()]).toEqual([
    'second key',
    second.certificate.trim(),
  ]);
  expect(running.engines.image.flux).toMatchObject({ kind: 'openai-images' });
});

it('names every file that cannot be used, and changes nothing then', async () => {
  write('key', ' \n');
  write('ca.pem', makeCertificate().certificate);
  write('own.pem', 'x');
  await expect(read()).rejects.toThrow(
    /engines\.text\.gpu\.api_key_file: ".*\/key" is empty\n.*tls\.key: ".*own-key\.pem" cannot be read \(ENOENT\)/,
  );
});

it('refuses certificates that no connection could be opened with', async () => {
  const [one, other] = [makeCertificate(), makeCertificate()];
  write('key', 'a key');
  write('ca.pem', one.certificate);
  writeOwn({ ...one, key: other.key });
  await expect(read()).rejects.toThrow(
    'engines.text.gpu.tls: `certificate` and `key` cannot be used together (ERR_OSSL_X509_KEY_VALUES_MISMATCH)',
  );
  writeOwn(one);
  write('ca.pem', one.certificate.slice(0, 200));
  await expect(read()).rejects.toThrow('engines.text.gpu.tls: `ca` is no certificate in PEM');
});
