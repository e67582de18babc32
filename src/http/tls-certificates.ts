import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Clock, Timer } from '../lib/clock.ts';
import { errorCode } from '../lib/error-code.ts';
import type { Log } from '../telemetry/log.ts';

/** Polled, not watched: a secret of Kubernetes changes by a link far from the file. */
const LOOK_EVERY_MS = 10_000;

export interface TlsCertificatesParts {
  readonly files: { readonly certificate: string; readonly key: string };
  readonly clock: Clock;
  readonly log: Log;
}

/** The certificate of the listener. It is read again when its files change; files that do not work change nothing. */
export class TlsCertificates {
  readonly #parts: TlsCertificatesParts;
  #context: SecureContext;
  /** The files as they were last tried. */
  #tried: string;
  #timer: Timer | undefined;

  /** Throws if the files cannot be used. */
  constructor(parts: TlsCertificatesParts) {
    this.#parts = parts;
    this.#tried = this.#look();
    this.#context = this.#read();
  }

  /** For the next connection. */
  get context(): SecureContext {
    return this.#context;
  }

  /** Looks at the files from time to time. */
  start(): void {
    this.#timer = this.#parts.clock.after(LOOK_EVERY_MS, () => {
      const seen = this.#look();
      if (seen !== this.#tried) this.reload(seen);
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Reads the files again. */
  reload(seen = this.#look()): void {
    const { files, log } = this.#parts;
    this.#tried = seen;
    try {
      this.#context = this.#read();
      log.info(files, 'the certificate was read anew');
    } catch (error) {
      log.error({ error, ...files }, 'the new certificate cannot be used; the old one stays');
    }
  }

  #read(): SecureContext {
    const { certificate, key } = this.#parts.files;
    return createSecureContext({ cert: readFileSync(certificate), key: readFileSync(key) });
  }

  /** Changes with the files. */
  #look(): string {
    const { certificate, key } = this.#parts.files;
    return [certificate, key].map(stamp).join(' ');
  }
}

/** A file that cannot be looked at has a stamp too: this runs in a timer, where a throw would end the process. */
function stamp(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}-${size}-${mtimeMs}`;
  } catch (error) {
    return errorCode(error) ?? 'unknown';
  }
}
