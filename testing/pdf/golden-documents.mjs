// Documents like those that callers send. Plain JavaScript, so that tests and benchmarks print the same.

const LOGO =
  "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 40'><rect width='120' height='40' rx='8' fill='%230a6'/><circle cx='20' cy='20' r='10' fill='white'/><rect x='40' y='14' width='64' height='12' fill='white'/></svg>";

const money = (cents) => `${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')} €`;

/** One page: a logo, flex, grid, a table, backgrounds. */
export function invoice() {
  const items = [
    ['Hosting, three months', 3, 12_900],
    ['Support, hours', 12, 9_500],
    ['Migration of the old shop', 1, 245_000],
    ['Certificates', 2, 4_900],
    ['Training on site', 1, 89_000],
  ];
  const rows = items.map(
    ([name, count, cents]) =>
      `<tr><td>${name}</td><td class="n">${count}</td><td class="n">${money(cents)}</td><td class="n">${money(count * cents)}</td></tr>`,
  );
  const total = items.reduce((sum, [, count, cents]) => sum + count * cents, 0);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Invoice 2026-0042</title><style>
body { font: 10.5pt/1.45 Arial, sans-serif; color: #222; margin: 0 }
header { display: flex; justify-content: space-between; align-items: center; border-bottom: 3px solid #0a6; padding-bottom: 8mm }
h1 { font-size: 26pt; margin: 0; letter-spacing: 1px }
.who { display: grid; grid-template-columns: 1fr 1fr; gap: 10mm; margin: 10mm 0 }
.who div { background: #eef6f2; border-left: 4px solid #0a6; padding: 4mm }
table { width: 100%; border-collapse: collapse }
th { background: #0a6; color: white; text-align: left; padding: 2.5mm }
td { padding: 2.5mm; border-bottom: 1px solid #ddd }
tr:nth-child(even) td { background: #f7f7f7 }
.n { text-align: right; font-variant-numeric: tabular-nums }
.total td { font-weight: bold; font-size: 13pt; border-top: 2px solid #222; background: none }
footer { margin-top: 15mm; font-size: 8.5pt; color: #666; columns: 3; column-gap: 8mm }
</style></head><body>
<header><img src="${LOGO}" width="180" height="60" alt="Acme"><h1>Invoice</h1></header>
<div class="who"><div><b>Acme Ltd.</b><br>1 Main Street<br>12345 Springfield</div><div><b>No. 2026-0042</b><br>Date: 16 November 2026<br>Due: 30 November 2026</div></div>
<table><thead><tr><th>Item</th><th class="n">Count</th><th class="n">Price</th><th class="n">Sum</th></tr></thead><tbody>
${rows.join('\n')}
<tr class="total"><td colspan="3">Total</td><td class="n">${money(total)}</td></tr></tbody></table>
<footer><p>Acme Ltd., registered in Springfield, number 123456. Managing director: J. Doe.</p><p>Bank: First Bank of Springfield, account 12 3456 7890, BIC FRSTSPXX.</p><p>Please pay within 14 days. Thank you for working with us.</p></footer>
</body></html>`;
}

/** One landscape page by @page, without margins: gradients, SVG, serif type. */
export function certificate() {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Certificate</title><style>
@page { size: A4 landscape; margin: 0 }
body { margin: 0; font-family: 'Times New Roman', serif; text-align: center; color: #2a2250 }
.sheet { box-sizing: border-box; width: 297mm; height: 210mm; padding: 22mm; background: linear-gradient(135deg, #f8f3e6, #e6ecf8) }
.frame { height: 100%; box-sizing: border-box; border: 2mm double #b08d2e; border-radius: 6mm; padding-top: 14mm; background: rgba(255, 255, 255, .6) }
h1 { font-size: 44pt; margin: 0; letter-spacing: 3pt } p { font-size: 16pt; margin: 6mm 0 }
.name { font-size: 34pt; font-style: italic; border-bottom: 1px solid #b08d2e; display: inline-block; padding: 0 20mm 2mm }
svg { width: 34mm; margin-top: 6mm }
</style></head><body><div class="sheet"><div class="frame"><h1>Certificate</h1><p>This is to certify that</p><div class="name">Zoë Müller-Łukasiewicz</div>
<p>has completed the course <b>Typesetting for Machines</b> with distinction</p>
<svg viewBox="0 0 100 100"><defs><radialGradient id="g"><stop offset="0" stop-color="#ffe9a8"/><stop offset="1" stop-color="#b08d2e"/></radialGradient></defs><path d="M30 55 20 98 50 84 80 98 70 55z" fill="#7a1f2b"/><circle cx="50" cy="40" r="34" fill="url(#g)" stroke="#7a5f1e" stroke-width="3"/><path d="m50 18 7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z" fill="white"/></svg>
</div></div></body></html>`;
}

/** Sixty pages: a cover, margin boxes with page counters, a table over many pages whose head is repeated. */
export function report(pages = 60) {
  const sentence =
    'The quick brown fox jumps over the lazy dog while the committee considers the figures of the quarter in detail. ';
  const section = (number) => `<section><h2>${number}. Section about the matter</h2>
<p>${sentence.repeat(6)}</p><div class="cards">${[1, 2, 3].map((card) => `<div><b>${number * card}%</b><br>${sentence.slice(0, 48)}</div>`).join('')}</div>
<p>${sentence.repeat(8)}</p><svg viewBox="0 0 400 120">${Array.from({ length: 20 }, (_, bar) => `<rect x="${bar * 20}" y="${120 - ((bar * 37 + number * 13) % 110)}" width="14" height="${(bar * 37 + number * 13) % 110}" fill="hsl(${bar * 18} 60% 50%)"/>`).join('')}</svg></section>`;
  const tablePages = 10;
  const rows = Array.from(
    { length: tablePages * 36 },
    (_, row) =>
      `<tr><td>${row + 1}</td><td>Position ${row + 1}</td><td>${((row * 7919) % 10_000) / 100}</td></tr>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Annual report</title><style>
@page { size: A4; margin: 22mm 18mm; @top-right { content: 'Annual report'; font: 9pt Arial } @bottom-center { content: 'Page ' counter(page) ' of ' counter(pages); font: 9pt Arial; color: #555 } }
@page :first { @top-right { content: none } @bottom-center { content: none } }
body { font: 11pt/1.5 Georgia, serif; margin: 0 } h1 { font: bold 40pt Arial; margin-top: 80mm }
section { break-before: page } h2 { font: bold 18pt Arial; color: #124 }
.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6mm } .cards div { background: #eef; padding: 4mm; border-radius: 2mm }
table { break-before: page; width: 100%; border-collapse: collapse } thead th { background: #124; color: white }
td, th { height: 6.2mm; padding: 0 2mm; border: 1px solid #bbb; text-align: left; font: 10pt Arial }
</style></head><body><h1>Annual report</h1><p>Of a company that does things</p>
${Array.from({ length: pages - tablePages - 1 }, (_, index) => section(index + 1)).join('\n')}
<table><thead><tr><th>No.</th><th>Position</th><th>Value</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`;
}

/** One page in many scripts. */
export function multilingual() {
  const lines = [
    ['en', 'The quick brown fox jumps over the lazy dog — “quoted”, ﬁne, 1½, €.'],
    ['de', 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.'],
    ['pl', 'Zażółć gęślą jaźń, pchnąć w tę łódź jeża lub ośm skrzyń fig.'],
    ['vi', 'Chào buổi sáng, tiếng Việt có nhiều dấu.'],
    ['el', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.'],
    ['ru', 'Съешь же ещё этих мягких французских булок, да выпей чаю.'],
    ['zh', '天地玄黄，宇宙洪荒。直骨角门今化关'],
    ['ja', 'いろはにほへと ちりぬるを 東京特許許可局 直骨角門今化関'],
    ['ko', '키스의 고유조건은 입술끼리 만나야 하고 特別한 기술은 필요치 않다.'],
    ['ar', 'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ١٢٣'],
    ['he', 'דג סקרן שט בים מאוכזב ולפתע מצא חברה, 123'],
  ];
  const paragraphs = lines.map(
    ([lang, text]) =>
      `<tr lang="${lang}"><th>${lang}</th><td dir="auto">${text}</td><td dir="auto"><b>${text.slice(0, 14)}</b></td></tr>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Many scripts: Ελληνικά, 中文, עברית</title><style>
body { font: 12pt/1.7 sans-serif } table { width: 100%; border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 2mm } th { width: 8mm }
.serif { font-family: serif } .mono { font-family: monospace }
</style></head><body><h1>Many scripts</h1><table>${paragraphs.join('')}</table>
<p class="serif">Serif: Hamburgefonstiv <i>italic</i> <b>bold</b> Ελλάδα Россия 漢字</p><p class="mono">Mono: for (i = 0; i &lt; 10; i++) Ωμέγα</p>
<p style="font-size: 26pt">😀 🎉 👩‍💻 🇪🇺 ❤️ ✅ 🦊 👍🏽</p></body></html>`;
}
