import type { Candidate } from '../propose/candidate.ts';

// BY_BOTH and CELL are fitted on the development sets: log loss 0.24 of values and 0.15 of cells that were left out of the fit. BY_RULES and CELL_BY_RULES are from an earlier fit, which a new one would hardly change.
const BY_RULES = { bias: -0.5, lead: 1.95 } as const;
const BY_BOTH = { bias: -0.41, network: 0.24, label: 2.33, lead: 0.35 } as const;
const CELL = { bias: -2.17, network: 0.7, named: 2.4 } as const;
/** The share of right cells among those that only rules see, in the development sets; in texts of other kinds it is lower. */
const CELL_BY_RULES = 0.91;
const [MOST_LABEL, MOST_LEAD] = [1.2, 5];
const LEAST_PROBABILITY = 0.001;

/** How likely a chosen value is right: above all by how far it is ahead of the next. */
export function probabilityOfValue({ probability, label, lead = 0 }: Candidate): number {
  const ahead = Math.min(MOST_LEAD, Math.max(0, lead));
  if (probability === undefined) return logistic(BY_RULES.bias + BY_RULES.lead * ahead);
  const { bias, network } = BY_BOTH;
  const named = BY_BOTH.label * Math.min(MOST_LABEL, label);
  return logistic(bias + network * logOdds(probability) + named + BY_BOTH.lead * ahead);
}

/** How likely a cell of a list is right; the network's probability is absent if it does not see the cell. */
export function probabilityOfCell(
  probability: number | undefined,
  { isNamed }: { readonly isNamed: boolean },
): number {
  if (probability === undefined) return CELL_BY_RULES;
  return logistic(CELL.bias + CELL.network * logOdds(probability) + (isNamed ? CELL.named : 0));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function logOdds(probability: number): number {
  const kept = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, probability));
  return Math.log(kept / (1 - kept));
}
