import type { ConnectionOptions } from 'node:tls';
import type { ServerCertificates } from '../config/config.ts';

/** The certificates for a server as Node takes them: whom to trust instead of the system's, and what to show. */
export function tlsOptions({ ca, certificate, key }: ServerCertificates = {}): ConnectionOptions {
  return {
    ...(ca && { ca: ca.reveal() }),
    ...(certificate && { cert: certificate.reveal() }),
    ...(key && { key: key.reveal() }),
  };
}
