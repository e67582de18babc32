import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for the loopback that vouches for itself. */
export function makeCertificate(name = 'localhost'): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-certificate-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${certificate} -subj /CN=${name} -days 2 -addext subjectAltName=DNS:localhost,IP:127.0.0.1`;
  try {
    execFileSync('openssl', request.split(' '), { stdio: 'ignore' });
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
