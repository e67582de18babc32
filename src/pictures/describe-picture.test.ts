import { expect, test } from 'vitest';
import { describePicture } from './describe-picture.ts';

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

test.each([
  ['PNG 800×600', bytes([0x89], 'PNG\r\n\u001a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 3, 32, 0, 0, 2, 88])],
  ['GIF 16×9', bytes('GIF89a', [16, 0, 9, 0])],
  ['JPEG 640×480', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 1, 224, 2, 128])],
  ['JPEG', bytes([0xff, 0xd8])],
  ['WEBP 320×200', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 63, 1, 0, 199, 0, 0])],
  ['WEBP 100×50', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', new Array(10).fill(0), [100, 0, 50, 0])],
  [undefined, bytes('hello')],
  [undefined, Buffer.alloc(0)],
])('%s is told from its head', (expected, head) => {
  expect(describePicture(head)).toBe(expected);
});
