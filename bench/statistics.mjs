/** The middle value. */
export function median(values) {
  return quantile(values, 0.5);
}

/** What the better quarter of the rounds reached: on a shared machine the least disturbed figure. */
export function bestQuartile(values) {
  return quantile(values, 0.25);
}

/** The value that a share of all values does not exceed. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** A table in Markdown. */
export function markdownTable(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
