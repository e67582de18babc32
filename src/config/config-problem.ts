/** Where a value stands in the file: keys of mappings and positions in lists, from the root. */
export type KeyPath = readonly (string | number)[];

/** One thing to put right before the gateway can start. */
export interface ConfigProblem {
  /** The file as the operator named it, or `environment`. */
  readonly source: string;
  readonly line?: number;
  /** The path of the key, or the name of the variable. */
  readonly path?: string;
  readonly message: string;
}

/** The configuration cannot be used; the message has one line per problem. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const sorted = problems.toSorted((one, other) => lineOrder(one) - lineOrder(other));
    super(sorted.map(renderProblem).join('\n'));
    this.problems = sorted;
  }
}

/** A problem as one line: `stackgate.yaml:12: server.prot: unknown key, did you mean "port"?` */
function renderProblem(problem: ConfigProblem): string {
  const place = problem.line === undefined ? problem.source : `${problem.source}:${problem.line}`;
  return problem.path ? `${place}: ${problem.path}: ${problem.message}` : `${place}: ${problem.message}`;
}

/** A path as an operator writes it: `stacks[0].keys[1].id`. */
export function renderPath(path: KeyPath): string {
  let rendered = '';
  for (const step of path) {
    if (typeof step === 'number') rendered += `[${step}]`;
    else rendered += `${rendered ? '.' : ''}${renderKey(step)}`;
  }
  return rendered;
}

const longestShown = 40;

/** A short text in quotes, on one line whatever it holds. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
}

function renderKey(key: string): string {
  return /^[\w$-]+$/.test(key) && key.length <= longestShown ? key : quoted(key);
}

/** The environment has no lines and comes last. */
function lineOrder(problem: ConfigProblem): number {
  return problem.line ?? (problem.source === 'environment' ? Number.MAX_SAFE_INTEGER : 0);
}
