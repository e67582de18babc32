import { describe, expect, it } from 'vitest';
import { blocksIn, heading, paragraph, table } from '../../../testing/knowledge/block-builders.ts';

describe('HTML', () => {
  it('is read without what is not shown', async () => {
    const text = `<!doctype html><title>The &amp; title</title><style>p{}</style><nav><a>Home</a></nav>
      <div hidden>no</div><p style="color:red; display: none">no<p aria-hidden=true>no</p>
      <h2>Part <b>one</b></h2><p>Some <i>text</i><br>in lines<script>no()</script> &euro;5
      <ul><li>one<li>two</ul><ol start=3><li>three</ol><pre>
a
  b</pre><img alt="A fox">`;
    expect(await blocksIn('a.html', text)).toEqual([
      heading(1, 'The & title'),
      heading(2, 'Part one'),
      paragraph('Some text\nin lines €5'),
      paragraph('- one'),
      paragraph('- two'),
      paragraph('3. three'),
      paragraph('a\n  b'),
      paragraph('A fox'),
    ]);
  });

  it('has no title above a heading of the first level', async () => {
    expect(await blocksIn('a.html', '<title>t</title><h1>One</h1><p>x')).toEqual([
      heading(1, 'One'),
      paragraph('x'),
    ]);
  });

  it('has tables whose rows stand alone, also where cells cover several', async () => {
    const text = `<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Price</tr>
      <tr><th>net<th>gross</tr></thead><tr><td rowspan=2>Pen<td>1<td>2</tr><tr><td colspan=2>3</tr>
      <tr><td>Ink<td>4<td>5</tr></table>`;
    expect(await blocksIn('a.html', text)).toEqual([
      paragraph('Prices'),
      table(['Item', 'Price net', 'Price gross'], ['Pen', '1', '2'], ['Pen', '3', ''], ['Ink', '4', '5']),
    ]);
    const unnamed = '<table><tr><td>a<td>b<tr><td>c<td>d</table>';
    expect(await blocksIn('a.html', unnamed)).toEqual([table([], ['a', 'b'], ['c', 'd'])]);
  });

  it('has no table where one only arranges', async () => {
    const nested = `<table><tr><td>left<td><h2>Head</h2><table><tr><th>k<th>v<tr><td>a<td>1</table></table>`;
    expect(await blocksIn('a.html', nested)).toEqual([
      paragraph('left'),
      heading(2, 'Head'),
      table(['k', 'v'], ['a', '1']),
    ]);
  });

  it('that nests without end is refused, and one that closes nothing is read', async () => {
    await expect(blocksIn('a.html', '<div>'.repeat(100_000))).rejects.toMatchObject({
      code: 'document-unreadable',
      message: expect.stringContaining('5000 elements'),
    });
    expect(await blocksIn('a.html', '<p>x'.repeat(20_000))).toHaveLength(20_000);
    expect(await blocksIn('a.html', '<p>a</div></b></table><p>b<')).toEqual([
      paragraph('a'),
      paragraph('b<'),
    ]);
  });

  it('with spans for millions of cells stays small', async () => {
    const text = `<table>${'<tr><td rowspan=99999 colspan=99999>a<td>b</tr>'.repeat(50)}</table>`;
    const [block] = await blocksIn('a.html', text);
    if (block?.type !== 'table') throw new Error('no table');
    expect(Math.max(...block.rows.map((row) => row.length))).toBeLessThanOrEqual(256);
  });
});
