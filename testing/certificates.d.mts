/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for the loopback that vouches for itself, for two days. */
export function makeCertificate(name?: string): Certificate;
