const RESAMPLES = 4_000;

export function median(values) {
  return quantile(values, 0.5);
}

/** The upper bound of the best quarter: on a shared machine the least disturbed figure. */
export function bestQuartile(values) {
  return quantile(values, 0.25);
}

/** The value that a fraction of all values does not exceed. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The 95 % confidence interval of the median, by rank. */
export function medianInterval(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const reach = (1.96 * Math.sqrt(sorted.length)) / 2;
  const from = Math.max(0, Math.floor(sorted.length / 2 - reach));
  const to = Math.min(sorted.length - 1, Math.ceil(sorted.length / 2 + reach));
  return { from: sorted[from], to: sorted[to] };
}

export function markdownTable(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The mean of the means of groups, each with the same weight, and its 95 % confidence interval; groups may lie apart. */
export function meanOfStrata(strata) {
  const means = strata.map(meanOf);
  const mean = meanOf(means);
  const variances = strata.map((values, index) => {
    const squares = values.reduce((sum, value) => sum + (value - means[index]) ** 2, 0);
    return squares / (values.length - 1) / values.length;
  });
  const error = Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0)) / strata.length;
  return { mean, from: mean - 1.96 * error, to: mean + 1.96 * error };
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The mean of the medians of groups, each with the same weight, and its 95 % confidence interval by bootstrap: groups are drawn
 * anew, and values in each, so that groups that lie apart make it wider.
 */
export function medianOfGroups(groups) {
  const estimateOf = (drawn) => meanOf(drawn.map(middleOf));
  const estimates = Array.from({ length: RESAMPLES }, () => estimateOf(drawnFrom(groups).map(drawnFrom)));
  return {
    median: estimateOf(groups),
    from: quantile(estimates, 0.025),
    to: quantile(estimates, 0.975),
  };
}

/** The median; of an even number of values the mean of the two in the middle. */
export function middleOf(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}

function drawnFrom(values) {
  return values.map(() => values[Math.floor(Math.random() * values.length)]);
}
