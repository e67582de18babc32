import { deflateRawSync, gzipSync } from 'node:zlib';

/** Files of an archive by path. */
export type ArchiveContent = Readonly<Record<string, Buffer>>;

/** A zip file like wheels; every second file is stored instead of deflated. */
export function madeZip(content: ArchiveContent): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [index, [path, bytes]] of Object.entries(content).entries()) {
    const method = index % 2 === 0 ? 8 : 0;
    const packed = method === 8 ? deflateRawSync(bytes, { level: 1 }) : bytes;
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, name]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end]);
}

/** A gzipped tar file like npm packages; a path over 100 bytes gets a record before its file. */
export function madeTarball(content: ArchiveContent): Buffer {
  const members = Object.entries(content).flatMap(([path, bytes]) => {
    if (Buffer.byteLength(path) <= 100) return [member(path, '0', bytes)];
    const line = `path=${path}\n`;
    const record = `${line.length + 1 + String(line.length + 4).length} ${line}`;
    return [member('PaxHeader/long', 'x', Buffer.from(record)), member(path.slice(0, 100), '0', bytes)];
  });
  return gzipSync(Buffer.concat([...members, Buffer.alloc(1024)]));
}

function member(path: string, type: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write('ustar\0', 257);
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return Buffer.concat([header, bytes, padding]);
}
