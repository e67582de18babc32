import { drawPage, PAGE_HEIGHT, PAGE_WIDTH } from '../../testing/reading/draw-page.mjs';
import { usePageFonts } from '../../testing/reading/page-fonts.mjs';
import { seededRandom } from '../../testing/reading/seeded-random.mjs';

/** A letter as a JPEG, and as a PDF of pictures only. */
export async function drawScan(folder, { pages }) {
  usePageFonts(folder);
  const { default: sharp } = await import('sharp');
  const { svg } = drawPage({ language: 'en', random: seededRandom(1) });
  const picture = await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
  return { picture, pdf: scannedPdf(picture, pages) };
}

function scannedPdf(jpeg, pages) {
  const numbers = Array.from({ length: pages }, (_, page) => page + 5);
  const drawing = Buffer.from('q 595 0 0 842 0 0 cm /P Do Q');
  const pictureHead = `<< /Type /XObject /Subtype /Image /Width ${PAGE_WIDTH} /Height ${PAGE_HEIGHT} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`;
  return writePdf([
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    [`<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages} >>`],
    [pictureHead, jpeg],
    [`<< /Length ${drawing.length} >>`, drawing],
    ...numbers.map(() => [
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /P 3 0 R >> >> >>',
    ]),
  ]);
}

function writePdf(objects) {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map(([head, stream], index) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    const body = stream === undefined ? [] : [Buffer.from('\nstream\n'), stream, Buffer.from('\nendstream')];
    parts.push(Buffer.from(`${index + 1} 0 obj\n${head}`), ...body, Buffer.from('\nendobj\n'));
    return offset;
  });
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
