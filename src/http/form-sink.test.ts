import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { Fault } from '../faults/fault.ts';
import { type Form, MAX_FORM_FIELD_BYTES } from '../lib/form.ts';
import { BodyMemory } from './body-memory.ts';
import { FormSink, MAX_FORM_PARTS } from './form-sink.ts';
import { UploadSpool } from './upload-spool.ts';

const urlEncoded = 'application/x-www-form-urlencoded';

async function read(body: Buffer | string, type = multipartType, chunkBytes = Infinity): Promise<Form> {
  const sink = new FormSink(type, room());
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const fault = sink.add(bytes.subarray(at, Math.min(bytes.length, at + chunkBytes)));
    if (fault !== undefined) throw fault;
  }
  return await sink.finish();
}

const folder = mkdtempSync(join(tmpdir(), 'stackgate-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function room(totalBytes = 1024 ** 3) {
  const bodyMemory = new BodyMemory(totalBytes);
  return {
    bodyMemory,
    memory: bodyMemory.open('shop'),
    stackId: 'shop',
    spool: new UploadSpool(join(folder, 'uploads'), async () => {}),
  };
}

const parts: readonly TestPart[] = [
  { name: 'prompt', text: 'ein Füchslein\r\n--mit Strichen' },
  { name: 'image', fileName: 'a.png', contentType: 'image/png', bytes: Buffer.from([1, 13, 10, 45, 45, 2]) },
  { name: 'image[]', fileName: 'b.png', contentType: 'image/png', bytes: Buffer.alloc(70_000, 7) },
  { name: 'steps', text: '4' },
  { name: 'image', fileName: 'c.png', bytes: Buffer.from('third') },
  { name: 'steps', text: '5' },
];
const body = multipartBody(parts);
const summary = (form: Form) => ({
  fields: [...form.fields],
  files: form.files.map(({ field, fileName, bytes }) => [field, fileName, bytes.toString('hex')]),
});

describe('a multipart form', () => {
  it('keeps the order of its files over all names, and the last of equal fields', async () => {
    expect(summary(await read(body))).toEqual({
      fields: [
        ['prompt', 'ein Füchslein\r\n--mit Strichen'],
        ['steps', '5'],
      ],
      files: [
        ['image', 'a.png', '010d0a2d2d02'],
        ['image[]', 'b.png', '07'.repeat(70_000)],
        ['image', 'c.png', Buffer.from('third').toString('hex')],
      ],
    });
  });

  it.each([1, 2, 7, 100, 4_096])('reads the same in chunks of %s bytes', async (chunkBytes) => {
    expect(summary(await read(body, multipartType, chunkBytes))).toEqual(summary(await read(body)));
  });

  it('is refused when it is cut anywhere, without a wait for the rest', async () => {
    const small = multipartBody([parts[0], parts[1], parts[3]].flatMap((part) => part ?? []));
    // The last line break is no part of the form.
    for (let length = 0; length < small.length - 2; length++) {
      const outcome = await read(small.subarray(0, length)).catch((error: unknown) => error);
      expect([length, outcome instanceof Fault && outcome.code]).toEqual([length, 'request-malformed']);
    }
  });

  it('survives garbage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.nat(body.length), async (garbage, at) => {
        const spoilt = Buffer.concat([body.subarray(0, at), garbage, body.subarray(at)]);
        const outcome = await read(spoilt).catch((error: unknown) => error);
        expect(outcome instanceof Fault ? outcome.code : 'read').toMatch(/^(read|request-malformed)$/);
      }),
      { numRuns: 200 },
    );
  });

  it('takes a part without a file name as a file if its type is one of a file', async () => {
    const form = await read(
      multipartBody([
        { name: 'image', contentType: 'image/png', bytes: Buffer.from('x') },
        { name: 'schema', contentType: 'application/json', text: '{}' },
      ]),
    );
    expect(summary(form)).toEqual({ fields: [['schema', '{}']], files: [['image', '', '78']] });
  });

  it('leaves out the empty file that a browser sends if none was chosen', async () => {
    const empty = { contentType: 'application/octet-stream', bytes: Buffer.alloc(0) };
    const form = await read(
      multipartBody([
        { name: 'image', fileName: '', ...empty },
        { name: 'image', fileName: 'empty.png', ...empty },
      ]),
    );
    expect(form.files.map(({ fileName }) => fileName)).toEqual(['empty.png']);
  });

  it('keeps an empty file without a name if its type is one of a file', async () => {
    const empty = { name: 'file', bytes: Buffer.alloc(0) };
    const form = await read(
      multipartBody([
        { ...empty, contentType: 'application/pdf' },
        { ...empty, fileName: '', contentType: 'image/webp' },
        { ...empty, contentType: 'application/octet-stream' },
      ]),
    );
    expect(form.files).toHaveLength(3);
  });

  it('keeps the beginning of a text that is too long, and says so', async () => {
    const long = { name: 'long', text: `${'x'.repeat(MAX_FORM_FIELD_BYTES)}y` };
    const form = await read(multipartBody([long, { name: 'short', text: 'x' }]), multipartType, 65_536);
    expect(form.fields.get('long')).toBe('x'.repeat(MAX_FORM_FIELD_BYTES));
    expect([...form.cutFields]).toEqual(['long']);
    const again = await read(multipartBody([long, { name: 'long', text: 'x' }]));
    expect([again.fields.get('long'), again.cutFields.size]).toEqual(['x', 0]);
  });

  it('has up to 1,000 texts and files', async () => {
    const half = MAX_FORM_PARTS / 2;
    const many = [
      ...Array(half).fill({ name: 'a', text: 'b' }),
      ...Array(half).fill({ name: 'a', fileName: 'b' }),
    ];
    expect((await read(multipartBody(many))).files).toHaveLength(half);
    await expect(read(multipartBody([...many, { name: 'a', text: 'b' }]))).rejects.toThrow(
      /more than 1000 fields/,
    );
  });

  it('leaves out parts without a name', async () => {
    const nameless = body.toString('latin1').replace('name="prompt"', 'nothing="prompt"');
    expect((await read(Buffer.from(nameless, 'latin1'))).fields.has('prompt')).toBe(false);
  });

  it('removes paths from file names', async () => {
    const form = await read(multipartBody([{ name: 'image', fileName: '../../etc/passwd', text: 'x' }]));
    expect(form.files.map(({ fileName }) => fileName)).toEqual(['passwd']);
  });

  it('may be empty', async () => {
    expect(summary(await read(multipartBody([])))).toEqual({ fields: [], files: [] });
  });

  it.each<[string, readonly TestPart[], RegExp]>([
    ['too many texts', Array(MAX_FORM_PARTS + 1).fill({ name: 'a', text: 'b' }), /more than 1000 fields/],
    ['too many files', Array(MAX_FORM_PARTS + 1).fill({ name: 'a', fileName: 'b' }), /more than 1000 fields/],
    ['a name that is too long', [{ name: 'n'.repeat(201), text: 'x' }], /name of a field/],
    [
      'a name of a file field that is too long',
      [{ name: 'n'.repeat(201), fileName: 'x' }],
      /name of a field/,
    ],
  ])('is refused for %s', async (_what, many, message) => {
    await expect(read(multipartBody(many))).rejects.toThrow(message);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; x=y'])(
    'is refused without a boundary: %s',
    async (type) => {
      await expect(read(body, type)).rejects.toMatchObject({ code: 'request-malformed' });
    },
  );
});

describe('a URL-encoded form', () => {
  it('has texts only', async () => {
    expect(summary(await read('prompt=a+f%C3%BCchs&steps=4&steps=5&empty=&%66ine', urlEncoded))).toEqual({
      fields: [
        ['prompt', 'a füchs'],
        ['steps', '5'],
        ['empty', ''],
        ['fine', ''],
      ],
      files: [],
    });
  });

  it('keeps the beginning of a text that is too long, and says so', async () => {
    const form = await read(`a=${'x'.repeat(MAX_FORM_FIELD_BYTES + 1)}&b=c`, urlEncoded);
    expect(form.fields.get('a')).toHaveLength(MAX_FORM_FIELD_BYTES);
    expect([...form.cutFields]).toEqual(['a']);
    expect(form.fields.get('b')).toBe('c');
  });

  it.each([
    [
      'too many',
      Array(MAX_FORM_PARTS + 1)
        .fill('a=b')
        .join('&'),
      /more than 1000 fields/,
    ],
    ['named too long', `${'n'.repeat(300)}=x`, /name of a field/],
  ])('is refused when its fields are %s', async (_what, text, message) => {
    await expect(read(text, urlEncoded)).rejects.toThrow(message);
  });
});

describe('a large file', () => {
  const large = Buffer.alloc(3_000_000, Buffer.from(Array.from({ length: 251 }, (_, at) => at)));
  const largeBody = multipartBody([
    { name: 'file', fileName: 'a.pdf', bytes: large },
    { name: 'n', text: '1' },
  ]);
  const left = () => (existsSync(join(folder, 'uploads')) ? readdirSync(join(folder, 'uploads')) : []);
  const feed = async (sink: FormSink, bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length; at += 65_536) {
      expect(sink.add(bytes.subarray(at, at + 65_536))).toBeUndefined();
      await sink.congestion;
    }
  };

  it('is on the disk while it arrives, and in memory when it is complete', async () => {
    const { bodyMemory, ...where } = room();
    const sink = new FormSink(multipartType, where);
    await feed(sink, largeBody.subarray(0, 2_900_000));
    await expect.poll(left).toHaveLength(1);
    await expect.poll(() => bodyMemory.heldBytes).toBe(0);
    await feed(sink, largeBody.subarray(2_900_000));
    const { files, fields } = await sink.finish();
    expect(files[0]?.bytes.equals(large)).toBe(true);
    expect(fields.get('n')).toBe('1');
    expect(bodyMemory.heldBytes).toBeGreaterThanOrEqual(large.length);
    where.memory[Symbol.dispose]();
    expect([bodyMemory.heldBytes, left()]).toEqual([0, []]);
  });

  it('leaves nothing when it breaks off', async () => {
    const { bodyMemory, ...where } = room();
    const sink = new FormSink(multipartType, where);
    await feed(sink, largeBody.subarray(0, 2_000_000));
    await expect.poll(left).toHaveLength(1);
    sink.drop();
    where.memory[Symbol.dispose]();
    await expect.poll(left).toEqual([]);
    expect(bodyMemory.heldBytes).toBe(0);
  });

  it('leaves nothing when it breaks off while the parser still has bytes', async () => {
    const { bodyMemory, ...where } = room();
    const sink = new FormSink(multipartType, where);
    for (let at = 0; at < 2_000_000; at += 65_536) sink.add(largeBody.subarray(at, at + 65_536));
    sink.drop();
    where.memory[Symbol.dispose]();
    // The parser emits the rest of its buffer, which is dropped.
    await sink.finish().catch(() => undefined);
    expect([left(), bodyMemory.heldBytes]).toEqual([[], 0]);
  });

  it('is refused if there is no memory for it when it is complete, and leaves nothing', async () => {
    const { bodyMemory: _bodyMemory, ...where } = room(8_000_000);
    const sink = new FormSink(multipartType, where);
    await feed(sink, largeBody);
    await expect(sink.finish()).rejects.toMatchObject({ code: 'body-memory-full' });
    sink.drop();
    await expect.poll(left).toEqual([]);
  });

  it('is refused if the disk cannot be written', async () => {
    const { bodyMemory: _bodyMemory, ...where } = room();
    const sink = new FormSink(multipartType, {
      ...where,
      spool: new UploadSpool('/dev/null/uploads', async () => {}),
    });
    await feed(sink, largeBody);
    await expect(sink.finish()).rejects.toMatchObject({ code: 'storage-full' });
  });

  it('is refused if the disk fills up while it arrives, and leaves nothing', async () => {
    const { bodyMemory: _bodyMemory, ...where } = room();
    const requireDisk = async () => {
      throw new Fault('storage-full', 'Full.');
    };
    const sink = new FormSink(multipartType, {
      ...where,
      spool: new UploadSpool(join(folder, 'uploads'), requireDisk),
    });
    await feed(sink, largeBody);
    await expect(sink.finish()).rejects.toMatchObject({ code: 'storage-full' });
    await expect.poll(left).toEqual([]);
  });
});
