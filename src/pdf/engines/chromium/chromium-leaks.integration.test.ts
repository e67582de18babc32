import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Canary } from '../../../../testing/pdf/canary.ts';
import { PdfReader } from '../../../../testing/pdf/pdf-reader.ts';
import { TestEngine } from '../../../../testing/pdf/test-engine.ts';
import { wayCount, waysOut } from '../../../../testing/pdf/ways-out.ts';
import { fontFiles } from './font-files.ts';

const WAYS_AT_ONCE = 40;
const red = (width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="rgb(220,0,0)"/></svg>`)}`;

let canary: Canary;
let chromium: TestEngine;
let reader: PdfReader;

beforeAll(async () => {
  canary = await Canary.start();
  chromium = new TestEngine();
  reader = await PdfReader.open();
});
afterAll(async () => {
  await chromium.close();
  await canary[Symbol.asyncDispose]();
});

describe('nothing leaves', () => {
  it('there are at least a hundred ways', () => {
    expect(wayCount).toBeGreaterThanOrEqual(100);
  });

  it('and a canary that is reached does hear it', async () => {
    await using other = await Canary.start();
    await fetch(`http://127.0.0.1:${other.port}/`).catch(() => {});
    expect(other.heard).toContain('tcp connection');
  });

  it('by any of them, to any address, also from nested frames', async () => {
    const { port } = canary;
    const ways = waysOut([
      `http://127.0.0.1:${port}/x`,
      `http://localhost:${port}/x`,
      `https://127.0.0.1:${port}/x`,
      `//127.0.0.1:${port}/x`,
      'file:///etc/passwd',
      '\\\\127.0.0.1\\share\\x',
      `ftp://127.0.0.1:${port}/x`,
      `blob:http://127.0.0.1:${port}/x`,
    ]);
    const documents: string[] = [];
    for (let at = 0; at < ways.length; at += WAYS_AT_ONCE) {
      const pieces = ways.slice(at, at + WAYS_AT_ONCE).map((html) => `<div>${html}</div>`);
      documents.push(`<!doctype html><body>${pieces.join('\n')}`);
    }
    for (let at = 0; at < documents.length; at += 4) {
      await Promise.all(documents.slice(at, at + 4).map((html) => chromium.print(html)));
    }
    expect(canary.heard).toEqual([]);
  });

  it('as the only thing of a document either, where it could take the page over', async () => {
    const url = `http://127.0.0.1:${canary.port}/x`;
    for (const html of [
      `<meta http-equiv="refresh" content="0;url=${url}"><p>still here`,
      `<base href="${url}"><p>still here<img src="a.png">`,
      `<link rel="prefetch" href="${url}"><link rel="dns-prefetch" href="//secret.localhost"><p>still here`,
    ]) {
      const { bytes } = await chromium.print(html);
      expect(reader.text(bytes, 0)).toContain('still here');
    }
    expect(canary.heard).toEqual([]);
  });
});

describe('what is not fetched', () => {
  it('is counted, each reference once', async () => {
    const url = 'http://a.test';
    const { blockedReferences } = await chromium.print(
      `<!doctype html><link rel="stylesheet" href="${url}/s.css"><style>@import "${url}/i.css"; @font-face { font-family: F; src: url(${url}/f.woff) } p { font-family: F }</style>
       <p>text<img src="${url}/1.png"><img src="${url}/2.png"><img src="file:///etc/passwd"><iframe src="${url}/frame"></iframe>`,
    );
    expect(blockedReferences).toBe(7);
    expect((await chromium.print(`<p>none<img src="${red(9, 9)}">`)).blockedReferences).toBe(0);
  });

  it('leaves no trace, and what stands beside it does not move', async () => {
    const around = (inner: string) =>
      `<!doctype html><style>body { margin: 0 } img, iframe, video { vertical-align: top; border: 0 } b { display: inline-block; width: 5mm; height: 5mm; background: rgb(0, 0, 200) }</style>${inner}<b></b>`;
    const size = 'width="80" height="60"';
    const missing = [
      `<img src="http://a.test/x.png" ${size}>`,
      `<img src="http://a.test/x.png" alt="A text that is much longer than the picture is wide" ${size}>`,
      `<picture><source srcset="http://a.test/x.webp"><img src="http://a.test/x.png" ${size}></picture>`,
      `<iframe src="http://a.test/" ${size}></iframe>`,
      `<video src="http://a.test/v" controls ${size}></video>`,
      `<img src="data:image/png;base64,AAAA" ${size}>`,
    ];
    const blank = await chromium.print(
      around(`<span style="display: inline-block; width: 80px; height: 60px; vertical-align: top"></span>`),
    );
    const picture = (bytes: Buffer) => {
      const [page] = reader.rasterise(bytes, { pages: [0], dpi: 40 });
      return createHash('sha256')
        .update(page?.pixels ?? '')
        .digest('hex');
    };
    const wanted = picture(blank.bytes);
    for (const html of missing) {
      const { bytes } = await chromium.print(around(html));
      expect(picture(bytes), html).toBe(wanted);
    }
  });
});

describe('what a document brings itself', () => {
  it('is used: pictures, styles, frames', async () => {
    const html = `<!doctype html><link rel="stylesheet" href="data:text/css,.a{background:rgb(220,0,0);height:40px}"><style>@import "data:text/css,.b{background:rgb(220,0,0);height:40px}"; div { width: 40px; margin: 4px }</style>
      <div class="a"></div><div class="b"></div><div><img src="${red(40, 40)}"></div><div><img loading="lazy" src="${red(40, 40)}"></div>
      <div style="height: 40px; background: url('${red(40, 40)}')"></div><svg width="40" height="40"><image href="${red(40, 40)}" width="40" height="40"/></svg>
      <iframe width="40" height="40" style="border: 0" src="data:text/html,<body style='background:rgb(220,0,0)'>"></iframe>`;
    const { bytes, blockedReferences } = await chromium.print(html);
    const [page] = reader.rasterise(bytes, { pages: [0], dpi: 96 });
    let pixels = 0;
    for (let at = 0; at < (page?.pixels.length ?? 0); at += 4) {
      const [r = 0, g = 255] = page?.pixels.subarray(at, at + 2) ?? [];
      if (r > 200 && g < 40) pixels += 1;
    }
    expect(pixels / (40 * 40)).toBeGreaterThan(6.8);
    expect(blockedReferences).toBe(0);
  });

  it('includes fonts, also where only a margin box uses them', async () => {
    const file = fontFiles().find((path) => path.endsWith('Tinos_400Regular.ttf')) ?? '';
    const font = await readFile(file, 'base64');
    const face = `@font-face { font-family: Own; src: url(data:font/ttf;base64,${font}) }`;
    const { bytes } = await chromium.print(
      `<style>${face} @page { @top-center { content: 'margin'; font-family: Own } } p { font-family: monospace }</style><p>text`,
    );
    expect(bytes.toString('latin1')).toMatch(/\/FontName \/[A-Z]+\+Tinos/);
  });
});
