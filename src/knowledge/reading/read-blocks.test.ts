import { describe, expect, it, test } from 'vitest';
import { blocksIn, heading, paragraph, table } from '../../../testing/knowledge/block-builders.ts';
import { madeZip } from '../../../testing/models/made-archives.ts';
import { formatOf } from './document-format.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('the format of a document', () => {
  test.each([
    ['notes.txt', '%PDF-1.7 …', 'pdf'],
    ['page.txt', '<!DOCTYPE html><p>x', 'html'],
    ['page.md', '\ufeff <!-- saved --> <html lang="en">', 'html'],
    ['a.b.MD', 'x', 'markdown'],
    ['a.htm', '<p>x', 'html'],
    ['a.tsv', 'a\tb', 'csv'],
    ['README', '# x', 'text'],
    ['BM.txt', 'BM is how this begins', 'text'],
  ])('of %s with %j is told', (name, content, format) => {
    expect(formatOf({ name, bytes: Buffer.from(content) })).toBe(format);
  });

  test.each([
    ['a picture', png, 'is a picture'],
    ['a picture with a misleading name', Buffer.concat([Buffer.from('GIF89a'), png]), 'is a picture'],
    ['a package that is no DOCX', madeZip({ 'xl/workbook.xml': Buffer.from('<a/>') }), 'no DOCX'],
    ['a package that is cut short', madeZip({ 'word/document.xml': png }).subarray(0, 40), 'cut short'],
    ['an old Word file', Buffer.from('d0cf11e0a1b11ae100000000', 'hex'), 'old Office file'],
    ['other bytes', Buffer.from([...Array(256).keys()]), 'is no text'],
  ])('of %s is refused', async (_, bytes, reason) => {
    const fault = { code: 'document-unreadable', status: 400, message: expect.stringContaining(reason) };
    await expect(blocksIn('file.md', bytes)).rejects.toMatchObject(fault);
  });
});

describe('a text', () => {
  test.each([
    ['UTF-8', Buffer.from('Größe: 5 €')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGröße: 5 €')],
    ['UTF-16', Buffer.from('\ufeffGröße: 5 €', 'utf16le')],
    ['UTF-16 the other way', Buffer.from('\ufeffGröße: 5 €', 'utf16le').swap16()],
    ['windows-1252', Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x3a, 0x20, 0x35, 0x20, 0x80])],
  ])('is read in %s', async (_, bytes) => {
    expect(await blocksIn('a.txt', bytes)).toEqual([paragraph('Größe: 5 €')]);
  });

  it('comes without what no database takes', async () => {
    const long = 'some words to make it long enough, '.repeat(3);
    const [block] = await blocksIn('a.txt', `${long}a\0b\u200bc`);
    expect(block).toEqual(paragraph(`${long}abc`));
    const lone = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from([0x41, 0x00, 0x00, 0xd8, 0x42, 0x00]),
    ]);
    expect(await blocksIn('a.txt', lone)).toEqual([paragraph('A\ufffdB')]);
    expect(await blocksIn('a.html', '<p>a&#xD800;&#0;b')).toEqual([paragraph('a\ufffd\ufffdb')]);
  });

  it('is parted at blank lines and underlined headings; what was wrapped is joined', async () => {
    const prose = 'The office is open on all working days of the week, and\ncloses at noon on Fridays.';
    const text = `Opening hours\n=============\n\n${prose}\n\n- one\n- two\n`;
    expect(await blocksIn('a.txt', text)).toEqual([
      heading(1, 'Opening hours'),
      paragraph(prose.replace('\n', ' ')),
      paragraph('- one'),
      paragraph('- two'),
    ]);
  });

  it('in one line of megabytes is one paragraph', async () => {
    const text = 'word '.repeat(400_000).trim();
    expect(await blocksIn('a.txt', text)).toEqual([paragraph(text)]);
  });
});

describe('delimited text', () => {
  test.each([
    ['commas', 'Name,Note\n"Smith, J.","says ""hi""\nand leaves"\n\nLee,\n'],
    ['semicolons', 'Name;Note\n"Smith, J.";"says ""hi""\nand leaves"\nLee;\n'],
    ['tabs', 'Name\tNote\r\nSmith, J.\t"says ""hi"" and leaves"\r\nLee\t'],
    ['what it declares', 'sep=;\nName;Note\nSmith, J.;"says ""hi"" and leaves"\nLee;'],
  ])('with %s is a table', async (_, text) => {
    const rows = [
      ['Smith, J.', 'says "hi" and leaves'],
      ['Lee', ''],
    ];
    expect(await blocksIn('a.csv', text)).toEqual([table(['Name', 'Note'], ...rows)]);
  });

  it('without names has none, and a quote that never ends takes nothing with it', async () => {
    expect(await blocksIn('a.csv', '1,2\n3,4')).toEqual([table([], ['1', '2'], ['3', '4'])]);
    const open = 'a,b\nx,"5 inch\ny,z';
    expect(await blocksIn('a.csv', open)).toEqual([table(['a', 'b'], ['x', '"5 inch'], ['y', 'z'])]);
  });
});
