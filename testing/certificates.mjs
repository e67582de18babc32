import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 24 * 3600 * 1000;
/** Tags of ASN.1. */
const [INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8, SEQUENCE, SET] = [2, 3, 4, 6, 12, 0x30, 0x31];
const UTC_TIME = 0x17;
const TRUE = Buffer.from([1, 1, 0xff]);
// Object identifiers, as they are encoded.
const ECDSA_WITH_SHA256 = tagged(SEQUENCE, tagged(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = tagged(OBJECT_ID, Buffer.from('550403', 'hex'));
const ALTERNATIVE_NAMES = tagged(OBJECT_ID, Buffer.from('551d11', 'hex'));
const BASIC_CONSTRAINTS = tagged(OBJECT_ID, Buffer.from('551d13', 'hex'));

/** Makes a certificate for the loopback that vouches for itself, for two days. */
export function makeCertificate(name = 'localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const subject = tagged(
    SEQUENCE,
    tagged(SET, tagged(SEQUENCE, COMMON_NAME, tagged(UTF8, Buffer.from(name)))),
  );
  const validity = tagged(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS));
  const version3 = tagged(0xa0, tagged(INTEGER, Buffer.from([2])));
  const serial = tagged(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const names = tagged(
    SEQUENCE,
    tagged(0x82, Buffer.from('localhost')),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = tagged(
    0xa3,
    tagged(
      SEQUENCE,
      tagged(SEQUENCE, BASIC_CONSTRAINTS, TRUE, tagged(OCTET_STRING, tagged(SEQUENCE, TRUE))),
      tagged(SEQUENCE, ALTERNATIVE_NAMES, tagged(OCTET_STRING, names)),
    ),
  );
  const signed = tagged(
    SEQUENCE,
    version3,
    serial,
    ECDSA_WITH_SHA256,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]);
  const whole = tagged(SEQUENCE, signed, ECDSA_WITH_SHA256, tagged(BIT_STRING, signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function time(ms) {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '');
  return tagged(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}

/** A value with its tag and length. */
function tagged(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  const short = length < 0x80;
  const size = short ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
