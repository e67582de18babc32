const WIDTH = 720;
const LEAST_LABEL_WIDTH = 120;
// Average for browsers' default fonts at 13 pixels.
const LETTER_WIDTH = 7.5;
const VALUE_WIDTH = 64;
const BAR_HEIGHT = 18;
const GAP = 8;
const TOP = 60;
/** A grey readable on white and black, refined for pages that declare their colour scheme. */
export const TEXT_STYLE =
  'text{font:13px system-ui,sans-serif;fill:#6e7781}.title{font-weight:600;font-size:15px}.small{font-size:12px}@media(prefers-color-scheme:dark){text{fill:#b1bac4}}';

/** A horizontal bar chart as SVG, for light and dark pages. `aim` draws a line that bars should stay below. */
export function barPlot({ title, unit, bars, aim }) {
  const labelWidth = Math.max(
    LEAST_LABEL_WIDTH,
    ...bars.map(({ label }) => label.length * LETTER_WIDTH + 12),
  );
  const most = Math.max(...bars.map(({ value }) => value), aim ?? 0) || 1;
  const room = WIDTH - labelWidth - VALUE_WIDTH;
  const x = (value) => labelWidth + (value / most) * room;
  const height = TOP + bars.length * (BAR_HEIGHT + GAP) + 8;
  const rows = bars.map(({ label, value, ours }, index) => {
    const y = TOP + index * (BAR_HEIGHT + GAP);
    const middle = y + BAR_HEIGHT / 2 + 4;
    return `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>
<rect x="${labelWidth}" y="${y}" width="${Math.max(1, x(value) - labelWidth).toFixed(1)}" height="${BAR_HEIGHT}" rx="2" class="${ours ? 'ours' : 'peer'}"/>
<text x="${(x(value) + 6).toFixed(1)}" y="${middle}">${figure(value)}</text>`;
  });
  const line =
    aim === undefined
      ? ''
      : `<line x1="${x(aim).toFixed(1)}" x2="${x(aim).toFixed(1)}" y1="${TOP - 4}" y2="${height - 8}" class="aim"/>\n<text x="${x(aim).toFixed(1)}" y="${TOP - 9}" text-anchor="middle" class="small">aim ${figure(aim)}</text>\n`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>${TEXT_STYLE}.ours{fill:#2f81f7}.peer{fill:#9aa4ae}.aim{stroke:#d1495b;stroke-dasharray:4 3}</style>
<text x="0" y="18" class="title">${escaped(title)}</text>
<text x="0" y="36">${escaped(unit)}</text>
${line}${rows.join('\n')}
</svg>
`;
}

function figure(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Escapes text for SVG. */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
