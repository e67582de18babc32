import { describe, expect, it } from 'vitest';
import { blocksIn, heading, paragraph, table } from '../../../testing/knowledge/block-builders.ts';
import { docxParagraph, docxTable, madeDocx } from '../../../testing/knowledge/made-docx.ts';
import { madeZip } from '../../../testing/models/made-archives.ts';

const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;
const style = (id: string, name: string, inside = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${inside}</w:style>`;

describe('a Word document', () => {
  it('has headings by their styles, whatever these are called', async () => {
    const styles = [
      style('Heading1', 'heading 1'),
      style('berschrift2', 'heading 2', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
      style('Mine', 'My own', '<w:basedOn w:val="berschrift2"/>'),
    ].join('');
    const body = ['Heading1', 'berschrift2', 'Mine', 'Nothing'].map((id) => docxParagraph(id, id)).join('');
    expect(await blocksIn('a.docx', madeDocx({ body, styles }))).toEqual([
      heading(1, 'Heading1'),
      heading(2, 'berschrift2'),
      heading(2, 'Mine'),
      paragraph('Nothing'),
    ]);
  });

  it('stands below its title', async () => {
    const body = docxParagraph('Book', 'Title') + docxParagraph('One', 'Heading1');
    expect(await blocksIn('a.docx', madeDocx({ body }))).toEqual([heading(1, 'Book'), heading(2, 'One')]);
  });

  it('is read as it is with all changes accepted, without what is hidden', async () => {
    const hidden = run('secret', '<w:rPr><w:vanish/></w:rPr>');
    const changes = `<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins>${run('new')}</w:ins>`;
    const body = `<w:p>${run('a ')}${changes}${hidden}<w:moveFrom>${run('gone')}</w:moveFrom><w:r><w:tab/></w:r>${run('&lt;b&gt;')}<w:r><w:br/></w:r>${run('c')}</w:p>`;
    expect(await blocksIn('a.docx', madeDocx({ body }))).toEqual([paragraph('a new <b>\nc')]);
  });

  it('has lists, notes and text boxes', async () => {
    const item = `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>${run('item')}</w:p>`;
    const noted = `<w:p>${run('Said')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' so.')}</w:p>`;
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${docxParagraph('in a box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${docxParagraph('in a box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>${run('around it')}</w:p>`;
    const footnotes = `<w:footnote w:type="separator" w:id="0">${docxParagraph('no')}</w:footnote><w:footnote w:id="2">${docxParagraph('by whom')}</w:footnote>`;
    expect(await blocksIn('a.docx', madeDocx({ body: item + noted + box, footnotes }))).toEqual([
      paragraph('- item'),
      paragraph('Said[1] so.'),
      paragraph('[1] by whom'),
      paragraph('in a box'),
      paragraph('around it'),
    ]);
  });

  it('has tables with their first row as names, and what goes on below in each row', async () => {
    const merged = (mark: string, text: string) =>
      `<w:tc><w:tcPr><w:vMerge${mark}/></w:tcPr>${docxParagraph(text)}</w:tc>`;
    const cell = (text: string) => `<w:tc>${docxParagraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('Item')}${cell('Price')}</w:tr><w:tr>${merged(' w:val="restart"', 'Pen')}${cell('1')}</w:tr><w:tr>${merged('', '')}${cell('2')}</w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${docxParagraph('all')}</w:tc></w:tr></w:tbl>`;
    expect(await blocksIn('a.docx', madeDocx({ body }))).toEqual([
      table(['Item', 'Price'], ['Pen', '1'], ['Pen', '2'], ['all', '']),
    ]);
    const frame = docxTable([['one cell']]);
    expect(await blocksIn('a.docx', madeDocx({ body: frame }))).toEqual([paragraph('one cell')]);
  });
});

describe('a Word document that is made to harm', () => {
  const refused = (reason: string) => ({
    code: 'document-unreadable',
    message: expect.stringContaining(reason),
  });

  it('does not unpack to more than the bound', async () => {
    const bomb = madeZip({ 'word/document.xml': Buffer.alloc(130 * 2 ** 20, 0x20) });
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(blocksIn('a.docx', bomb)).rejects.toMatchObject(refused('unpacks to more than 128 MiB'));
  });

  it('is refused wherever it is cut, or where its bytes are changed', async () => {
    const whole = madeDocx({ body: docxParagraph('text') });
    for (let end = 4; end < whole.length; end += 37) {
      await expect(blocksIn('a.docx', whole.subarray(0, end))).rejects.toMatchObject(refused('cut short'));
    }
    for (let at = 4; at < whole.length; at += 11) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x5a;
      const outcome = await blocksIn('a.docx', changed).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ code: 'document-unreadable' });
    }
  });

  it('is refused where it nests without end', async () => {
    const body = '<w:p>'.repeat(100_000);
    await expect(blocksIn('a.docx', madeDocx({ body }))).rejects.toMatchObject(refused('nests'));
  });
});
