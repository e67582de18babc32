import { test } from 'vitest';
import { PdfWriter, unicodeString, writtenLines, latinString } from '../../testing/reading/pdf-writer.ts';
import { PdfWorkers, defaultPdfWorkers } from './pdf/pdf-workers.ts';
test('try', async () => {
  const w = new PdfWriter();
  const F = w.standardFont();
  const U = w.unicodeFont(), V = w.unicodeFont({ vertical: true });
  w.addPage({ content: writtenLines(['Invoice 2024-17', 'The quick brown fox jumps over the lazy docu-', 'ment and leaves.', 'a (b) c']), fonts: { F } });
  const at = (x: number, y: number, t: string, rot = '1 0 0 1') => `BT /F 10 Tf ${rot} ${x} ${y} Tm ${latinString(t)} Tj ET\n`;
  const table = [['Item', 'Qty', 'Price'], ['Widget', '2', '10.00'], ['Long gadget', '13', '1,250.00']].map((r, i) => r.map((c, j) => at(60 + j * 150, 700 - i * 15, c)).join('')).join('');
  for (const rotate of [0, 90, 180, 270]) w.addPage({ content: table, fonts: { F }, rotate });
  w.addPage({ content: table + at(30, 300, 'Sideways note here', '0 1 -1 0'), fonts: { F } });
  w.addPage({ content: `BT /U 12 Tf 1 0 0 1 300 700 Tm ${unicodeString([...'שלום עולם'].reverse().join(''))} Tj ET BT /U 12 Tf 1 0 0 1 300 680 Tm ${unicodeString([...'مرحبا بالعالم'].reverse().join(''))} Tj ET`, fonts: { U } });
  w.addPage({ content: `BT /V 12 Tf 1 0 0 1 500 700 Tm ${unicodeString('日本語の縦書き文章')} Tj ET BT /V 12 Tf 1 0 0 1 480 700 Tm ${unicodeString('二列目です。')} Tj ET`, fonts: { V } });
  w.addPage({ content: `BT /U 12 Tf 1 0 0 1 60 700 Tm ${unicodeString('ﬁnance oﬃce 発票番号')} Tj ET`, fonts: { U } });
  const ap = w.addStream('/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F ' + F + ' 0 R >> >>', 'BT /F 12 Tf 2 5 Td (Jane Filled) Tj ET');
  const field = w.add(`<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Jane Filled) /Rect [150 695 350 715] /F 4 /AP << /N ${ap} 0 R >> >>`);
  const field2 = w.add(`<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /V (Springfield) /DA (/F 12 Tf 0 g) /Rect [150 665 350 685] /F 4 >>`);
  w.setRoot(`/AcroForm << /Fields [${field} 0 R ${field2} 0 R] /NeedAppearances true /DR << /Font << /F ${F} 0 R >> >> /DA (/F 12 Tf 0 g) >>`);
  w.addPage({ content: at(60, 700, 'Name:') + at(60, 670, 'City:'), fonts: { F }, annotations: [field, field2] });
  w.addBrokenPage(F);
  const pdf = w.build(); (await import('node:fs')).writeFileSync('/tmp/x.pdf', pdf);
  const workers = new PdfWorkers(defaultPdfWorkers);
  const s = new AbortController().signal;
  console.log(await workers.inspect(pdf, s));
  for await (const p of workers.read(pdf, s)) { console.log(p.needsOcr, p.isDamaged, '\n' + p.text); if (p.lines[0]) console.log(JSON.stringify(p.lines[0].box)); }
  await workers.stop(s);
});
