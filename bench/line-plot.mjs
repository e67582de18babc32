import { escaped, TEXT_STYLE } from './bar-plot.mjs';

const WIDTH = 720;
const LEFT = 56;
const TOP = 60;
const PLOT_WIDTH = 400;
const PLOT_HEIGHT = 300;
const HEIGHT = TOP + PLOT_HEIGHT + 48;
const LABEL_HEIGHT = 17;
// Distinguishable for colour-blind readers, on white and black.
const COLOURS = [
  '#2f81f7',
  '#d9822b',
  '#8250df',
  '#1f9e89',
  '#cf4b7a',
  '#7a8b99',
  '#b59a00',
  '#4fa3c7',
  '#a0522d',
];

/** Lines on two logarithmic axes as SVG, for light and dark pages; the dashed one is linear growth. */
export function linePlot({ title, across, up, reference, lines }) {
  const all = lines.flatMap(({ points }) => points);
  const most = [0, 1].map((axis) => 10 ** Math.ceil(Math.log10(Math.max(10, ...all.map((p) => p[axis])))));
  const x = (value) => LEFT + (Math.log10(Math.max(1, value)) / Math.log10(most[0])) * PLOT_WIDTH;
  const y = (value) =>
    TOP + PLOT_HEIGHT - (Math.log10(Math.max(1, value)) / Math.log10(most[1])) * PLOT_HEIGHT;
  const path = (points) => points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(' ');
  const end = Math.min(...most);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(title)}">
<style>${TEXT_STYLE}.grid{stroke:#8b949e;stroke-opacity:.25}.reference{stroke:#8b949e;stroke-dasharray:4 3}polyline{fill:none;stroke-width:2;stroke-linejoin:round}</style>
<text x="0" y="18" class="title">${escaped(title)}</text>
<text x="0" y="38">${escaped(up)}</text>
${grid({ most, x, y })}
<text x="${LEFT + PLOT_WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(across)}</text>
<line x1="${x(1)}" y1="${y(1)}" x2="${x(end).toFixed(1)}" y2="${y(end).toFixed(1)}" class="reference"/>
${lines
  .map(({ points }, index) =>
    curve(
      path(points),
      points.map(([a, b]) => [x(a), y(b)]),
      COLOURS[index % COLOURS.length],
      index >= COLOURS.length,
    ),
  )
  .join('\n')}
${legend(lines, reference)}
</svg>
`;
}

function grid({ most, x, y }) {
  const powers = (limit) => Array.from({ length: Math.log10(limit) + 1 }, (_, power) => 10 ** power);
  return [
    ...powers(most[0]).map(
      (value) =>
        `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${TOP + PLOT_HEIGHT}" class="grid"/><text x="${x(value)}" y="${TOP + PLOT_HEIGHT + 17}" text-anchor="middle" class="small">${value.toLocaleString('en-US')}</text>`,
    ),
    ...powers(most[1]).map(
      (value) =>
        `<line x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${y(value)}" y2="${y(value)}" class="grid"/><text x="${LEFT - 7}" y="${y(value) + 4}" text-anchor="end" class="small">${value.toLocaleString('en-US')}</text>`,
    ),
  ].join('\n');
}

function curve(path, places, colour, isDashed) {
  const dots = places.map(
    ([a, b]) => `<circle cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="2.5" fill="${colour}"/>`,
  );
  return `<polyline points="${path}" stroke="${colour}"${isDashed ? ' stroke-dasharray="6 3"' : ''}/>${dots.join('')}`;
}

function legend(lines, reference) {
  const left = LEFT + PLOT_WIDTH + 16;
  const row = (index) => TOP + 8 + index * LABEL_HEIGHT;
  const named = lines.map(({ label }, index) => {
    const dash = index >= COLOURS.length ? ' stroke-dasharray="6 3"' : '';
    return `<line x1="${left}" x2="${left + 18}" y1="${row(index)}" y2="${row(index)}" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="2"${dash}/><text x="${left + 24}" y="${row(index) + 4}" class="small">${escaped(label)}</text>`;
  });
  const last = row(lines.length);
  return `${named.join('\n')}
<line x1="${left}" x2="${left + 18}" y1="${last}" y2="${last}" class="reference"/><text x="${left + 24}" y="${last + 4}" class="small">${escaped(reference)}</text>`;
}
