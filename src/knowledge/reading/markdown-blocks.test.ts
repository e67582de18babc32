import { expect, it, test } from 'vitest';
import { blocksIn, heading, paragraph, table } from '../../../testing/knowledge/block-builders.ts';

it('reads headings, lists, code and tables, and drops front matter', async () => {
  const text = `---
title: x
---
# Guide #

First line
second line.

Setup
-----
- one
  goes on
- two
1. three

\`\`\`sh
# no heading

  indented
\`\`\`

> quoted

| Name | Price |
|:-----|------:|
| a \\| b | **1** |
| c | 2 |
after

[ref]: https://example.com
<!-- hidden
too -->
***
###### Deep
`;
  expect(await blocksIn('a.md', text)).toEqual([
    heading(1, 'Guide'),
    paragraph('First line second line.'),
    heading(2, 'Setup'),
    paragraph('- one goes on'),
    paragraph('- two'),
    paragraph('1. three'),
    paragraph('# no heading\n\n  indented'),
    paragraph('quoted'),
    table(['Name', 'Price'], ['a | b', '1'], ['c', '2']),
    paragraph('after'),
    heading(6, 'Deep'),
  ]);
});

test.each([
  ['[text](https://example.com "title") and [ref][1]', 'text and ref'],
  ['![a picture](x.png) here', 'a picture here'],
  ['**bold** *it* ~~old~~ __b__ _i_ snake_case_name', 'bold it old b i snake_case_name'],
  ['`<b>code_*x*</b>` \\*star\\*', '<b>code_*x*</b> *star*'],
  ['a <span class="x">b</span> &amp; &lt;c&gt; 1 < 2', 'a b & <c> 1 < 2'],
  ['<https://example.com>', 'https://example.com'],
  ['a  \nb', 'a\nb'],
])('takes the words out of %j', async (source, text) => {
  expect(await blocksIn('a.md', source)).toEqual([paragraph(text)]);
});

test.each([['`'], ['*'], ['['], ['[x](a '], ['<a '], ['&amp '], ['> '], ['|a|b|\n|-|-|\n']])(
  'reads a long run of %j in one go',
  async (part) => {
    const blocks = await blocksIn('a.md', part.repeat(250_000 / part.length));
    expect(JSON.stringify(blocks).length).toBeLessThan(500_000);
  },
);
