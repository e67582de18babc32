import { readFile } from 'node:fs/promises';
import type { AgeReaders, AgeSecrets } from '../lib/age/age-header.ts';
import { type AgeIdentity, parseIdentity, parseRecipient } from '../lib/age/age-keys.ts';
import { errorCode } from '../lib/error-code.ts';
import { OperatorError } from './operator-error.ts';

/** Who a backup is encrypted for, by the options of a command or the configuration. */
export interface ReaderOptions {
  readonly recipients?: readonly string[];
  readonly passphraseFile?: string | undefined;
}

/** The readers of a backup; undefined if it is not to be encrypted. */
export async function backupReaders({
  recipients = [],
  passphraseFile,
}: ReaderOptions): Promise<AgeReaders | undefined> {
  if (recipients.length > 0 && passphraseFile !== undefined)
    throw new OperatorError('a backup is encrypted to keys or with a passphrase, not both');
  if (passphraseFile !== undefined) return { passphrase: await passphraseIn(passphraseFile) };
  if (recipients.length === 0) return undefined;
  return {
    recipients: recipients.map((text) => {
      const recipient = parseRecipient(text);
      if (recipient === undefined) throw new OperatorError(`"${text}" is no public key (age1…)`);
      return recipient;
    }),
  };
}

/** The secrets for a backup: from a file with secret keys, or one with a passphrase. */
export async function backupSecrets(options: {
  readonly identity?: string | undefined;
  readonly passphraseFile?: string | undefined;
}): Promise<AgeSecrets> {
  const { identity, passphraseFile } = options;
  return {
    ...(identity !== undefined && { identities: await identitiesIn(identity) }),
    ...(passphraseFile !== undefined && { passphrase: await passphraseIn(passphraseFile) }),
  };
}

async function identitiesIn(path: string): Promise<readonly AgeIdentity[]> {
  const lines = (await textOf(path)).split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseIdentity);
  if (identities.length === 0 || identities.includes(undefined))
    throw new OperatorError(`${path} is no file of secret keys (AGE-SECRET-KEY-1…)`);
  return identities.flatMap((identity) => identity ?? []);
}

async function passphraseIn(path: string): Promise<string> {
  const passphrase = (await textOf(path)).replace(/\r?\n$/, '');
  if (passphrase === '') throw new OperatorError(`the passphrase in ${path} is empty`);
  return passphrase;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${errorCode(error) ?? 'unknown'}`);
  }
}
