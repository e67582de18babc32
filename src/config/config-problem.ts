/** Keys and list indexes, from the root of the file. */
export type KeyPath = readonly (string | number)[];

/** A problem to fix before the gateway can start. */
export interface ConfigProblem {
  /** The file as named by the operator, or `environment`. */
  readonly source: string;
  readonly line?: number;
  /** The key's path, or the variable's name. */
  readonly path?: string;
  readonly message: string;
}

/** The configuration is invalid; the message has one line per problem. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const sorted = problems.toSorted((one, other) => lineOrder(one) - lineOrder(other));
    super(sorted.map(renderProblem).join('\n'));
    this.problems = sorted;
  }
}

/** For example `stackgate.yaml:12: server.prot: unknown key, did you mean "port"?` */
function renderProblem(problem: ConfigProblem): string {
  const location = problem.line === undefined ? problem.source : `${problem.source}:${problem.line}`;
  return problem.path
    ? `${location}: ${problem.path}: ${problem.message}`
    : `${location}: ${problem.message}`;
}

/** For example `stacks[0].keys[1].id`. */
export function renderPath(path: KeyPath): string {
  let rendered = '';
  for (const step of path) {
    if (typeof step === 'number') rendered += `[${step}]`;
    else rendered += `${rendered ? '.' : ''}${renderKey(step)}`;
  }
  return rendered;
}

const longestShown = 40;

/** Quoted, truncated and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
}

function renderKey(key: string): string {
  return /^[\w$-]+$/.test(key) && key.length <= longestShown ? key : quoted(key);
}

/** Problems of the environment have no line and come last. */
function lineOrder(problem: ConfigProblem): number {
  return problem.line ?? (problem.source === 'environment' ? Number.MAX_SAFE_INTEGER : 0);
}
