import { Socket, type SocketConstructorOpts } from 'node:net';

/** Internal fields of an accepted socket, which Node's types leave out. */
interface AcceptedInsides {
  _handle: { readonly useUserBuffer?: unknown } | null;
  /** The server that counts this connection. */
  _server: object | null;
}

/** Node versions that this is tested with; internals of sockets may change with each. */
const KNOWN_MAJORS: readonly string[] = ['20'];
const READ_BUFFER_BYTES = 64 * 1024;
/** One connection reads at a time, so all can share a buffer. */
const shared = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);

/**
 * Returns the same connection as a socket that reads into a shared buffer; `onBytes` must copy what it keeps. Node offers this
 * to clients (`onread`) but not to servers, whose sockets allocate 64 KB for each read, then copy the bytes into another
 * buffer. With another Node version, or unexpected internals, the accepted socket is returned and `onBytes` gets its `data`
 * events.
 */
export function withSharedReads(
  accepted: Socket,
  onBytes: (bytes: Buffer) => void,
  nodeVersion = process.versions.node,
): Socket {
  const insides = accepted as unknown as AcceptedInsides;
  const { _handle: handle, _server: server } = insides;
  const isKnown = KNOWN_MAJORS.includes(nodeVersion.split('.', 1)[0] ?? '');
  if (!isKnown || typeof handle?.useUserBuffer !== 'function' || !server) return accepted.on('data', onBytes);
  const callback = (length: number) => {
    onBytes(shared.subarray(0, length));
    return true;
  };
  const { allowHalfOpen } = accepted;
  const options = { handle, allowHalfOpen, onread: { buffer: shared, callback } };
  insides._handle = null;
  insides._server = null;
  return Object.assign(new Socket(options as SocketConstructorOpts), { server, _server: server });
}
