import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Of the eight groups of an IPv6 address, those assigned to one customer. */
const CUSTOMER_PARTS = 4;

/** The customer behind an address: the IPv4 address, or the /64 of an IPv6 address, within which a customer can choose freely. */
export function addressGroup(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::');
  const first = parts(before);
  const last = after === undefined ? [] : parts(after);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const whole = [...first, ...zeros, ...last].slice(0, CUSTOMER_PARTS);
  return `${whole.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`;
}

function parts(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').flatMap((part) => (part.includes('.') ? ['0', '0'] : [part]));
}
