import { isIP } from 'node:net';

/** The address and paths of a server. */
export interface UpstreamAddress {
  readonly isTls: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** The value of the `Host` header. */
  readonly authority: string;
  /** For the TLS handshake; undefined for an IP address. */
  readonly serverName: string | undefined;
  /** The path of the OpenAI routes, such as `/v1`. */
  readonly basePath: string;
  /** The same without a trailing `/v1`: servers have their own routes there. */
  readonly rootPath: string;
}

const TLS_PORT = 443;
const PLAIN_PORT = 80;

/** Parses a base URL. */
export function parseUpstreamAddress(baseUrl: string): UpstreamAddress {
  const url = new URL(baseUrl);
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const basePath = url.pathname.replace(/\/+$/, '');
  return {
    isTls,
    host,
    port: url.port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(url.port),
    authority: url.host,
    serverName: isIP(host) === 0 ? host : undefined,
    basePath,
    rootPath: basePath.replace(/\/v1$/, ''),
  };
}
