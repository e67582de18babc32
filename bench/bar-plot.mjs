const WIDTH = 720;
const LABEL_WIDTH = 220;
const VALUE_WIDTH = 64;
const BAR_HEIGHT = 18;
const GAP = 8;
const TOP = 48;

/** A horizontal bar chart as SVG, readable on light and dark pages. `aim` draws a line that bars should end before. */
export function barPlot({ title, unit, bars, aim }) {
  const most = Math.max(...bars.map(({ value }) => value), aim ?? 0) || 1;
  const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (value) => LABEL_WIDTH + (value / most) * room;
  const height = TOP + bars.length * (BAR_HEIGHT + GAP) + 8;
  const rows = bars.map(({ label, value, ours }, index) => {
    const y = TOP + index * (BAR_HEIGHT + GAP);
    const middle = y + BAR_HEIGHT / 2 + 4;
    return `<text x="${LABEL_WIDTH - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>
<rect x="${LABEL_WIDTH}" y="${y}" width="${Math.max(1, x(value) - LABEL_WIDTH).toFixed(1)}" height="${BAR_HEIGHT}" rx="2" class="${ours ? 'ours' : 'peer'}"/>
<text x="${(x(value) + 6).toFixed(1)}" y="${middle}">${figure(value)}</text>`;
  });
  const line =
    aim === undefined
      ? ''
      : `<line x1="${x(aim).toFixed(1)}" x2="${x(aim).toFixed(1)}" y1="${TOP - 4}" y2="${height - 8}" class="aim"/>\n`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:15px}.ours{fill:#2f81f7}.peer{fill:#9aa4ae}.aim{stroke:#d1495b;stroke-dasharray:4 3}</style>
<text x="0" y="18" class="title">${escaped(title)}</text>
<text x="0" y="36">${escaped(unit)}</text>
${line}${rows.join('\n')}
</svg>
`;
}

function figure(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
