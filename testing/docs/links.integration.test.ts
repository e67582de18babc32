import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const documents = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');

describe.each(documents)('%s', (name) => {
  it('links to files and headings that are there', () => {
    const links = linksOf(readFileSync(join(root, name), 'utf8'));
    expect(links.filter((link) => isBroken(link, name))).toEqual([]);
  });
});

it('can be reached from docs/README.md, if it is a document in docs/', () => {
  const index = new Set(
    linksOf(readFileSync(join(root, 'docs/README.md'), 'utf8')).map((link) => join('docs', link)),
  );
  const pages = documents.filter((name) => /^docs\/[\w-]+\.md$/.test(name) && name !== 'docs/README.md');
  expect(pages.filter((name) => !index.has(name))).toEqual([]);
});

it('every picture in docs/images is shown somewhere', () => {
  const shown = new Set(
    documents.flatMap((name) =>
      linksOf(readFileSync(join(root, name), 'utf8')).map((link) => join(dirname(name), link)),
    ),
  );
  const pictures = execFileSync('git', ['ls-files', 'docs/images'], { cwd: root, encoding: 'utf8' });
  expect(
    pictures
      .trim()
      .split('\n')
      .filter((path) => !shown.has(path)),
  ).toEqual([]);
});

/** The links of a document into this repository; others are left out. */
function linksOf(text: string): readonly string[] {
  const prose = withoutCode(text);
  const found = [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g),
    ...prose.matchAll(/<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)="([^"]+)"/g),
    ...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm),
  ].map(([, link = '']) => link);
  return found.filter((link) => !/^[a-z]+:/.test(link));
}

function isBroken(link: string, from: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? join(root, from) : join(root, dirname(from), decodeURIComponent(path));
  if (relative(root, target).startsWith('..') || !existsSync(target)) return true;
  return (
    heading !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(heading)
  );
}

/** The anchors that hosts of repositories give to headings: lower case, no punctuation, dashes for spaces; repeated ones are numbered. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let numbered = anchor;
    for (let number = 1; anchors.has(numbered); number++) numbered = `${anchor}-${number}`;
    anchors.add(numbered);
  }
  return anchors;
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}
