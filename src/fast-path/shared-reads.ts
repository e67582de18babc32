import { Socket, type SocketConstructorOpts } from 'node:net';

/** What a socket that a server has accepted is made of, and no type tells. */
interface AcceptedInsides {
  _handle: { readonly useUserBuffer?: unknown } | null;
  /** Who counts it among its connections. */
  _server: object | null;
}

/** Versions of Node that the tests were run on: what a socket is made of may change with each. */
const KNOWN_MAJORS: readonly string[] = ['20'];
const READ_BUFFER_BYTES = 64 * 1024;
/** One connection reads at a time, so all may share a buffer. */
const shared = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);

/**
 * The same connection as a socket that reads into a shared buffer: `onBytes` is told what came, and keeps nothing of it. Node
 * offers that to clients (`onread`) but not to servers, whose sockets allocate 64 KB for each read, then clear and fill a
 * buffer for what came. With another Node, or where a socket is not made as expected, it stays as it is, and tells its bytes
 * in the usual way.
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
