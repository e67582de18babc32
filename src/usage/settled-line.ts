import type { SettledShare } from './left-usage.ts';

const LINE = /^([tm]) (\S+) (\d+) (?:([^/ ]*)\/)?(.+)$/;

/** The line of the journal that has what was settled of a budget. */
export function settledLine({ kind, stack, key, day, amount }: SettledShare): string {
  return kind === 'tokens' ? `t ${day} ${amount} ${stack}\n` : `m ${day} ${amount} ${key}/${stack}\n`;
}

/** The share of a line; undefined if it is another line, or not whole. */
export function parseSettledLine(line: string): SettledShare | undefined {
  const [, mark, day, amount, key = '', stack] = LINE.exec(line) ?? [];
  if (day === undefined || stack === undefined) return undefined;
  return { kind: mark === 't' ? 'tokens' : 'money', stack, key, day, amount: Number(amount) };
}

/** Tells the budgets of a process apart. */
export function nameOfShare({ kind, stack, key, day }: SettledShare): string {
  return `${kind} ${day} ${key}/${stack}`;
}
