/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly keyword: string;
  /** `--name=value` before the rest. */
  readonly flags: Readonly<Record<string, string>>;
  readonly rest: string;
}

/** The instructions from one FROM to the next. */
export interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** Parses the stages of a Dockerfile: comments, continued lines and flags, but neither here-documents nor escapes. */
export function readDockerfile(text: string): readonly Stage[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const instructions = lines.join('\n').replaceAll(/\\\n/g, ' ').split('\n').map(readInstruction);
  const starts = instructions.flatMap(({ keyword }, at) => (keyword === 'FROM' ? [at] : []));
  return starts.map((start, at) => readStage(instructions.slice(start, starts[at + 1])));
}

/** The instructions of a kind, in order. */
export function instructionsOf(stage: Stage, keyword: string): readonly Instruction[] {
  return stage.instructions.filter((instruction) => instruction.keyword === keyword);
}

/** The words of an instruction in exec form, which runs without a shell. */
export function execForm(rest: string): readonly string[] {
  const words: unknown = JSON.parse(rest);
  if (!Array.isArray(words)) throw new Error(`not in exec form: ${rest}`);
  return words.map(String);
}

function readInstruction(line: string): Instruction {
  const [, keyword = '', all = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
  const flags: Record<string, string> = {};
  const rest = all.replace(/^(\s*--\S+\s+)+/, (found) => {
    for (const [, name = '', value = ''] of found.matchAll(/--([\w-]+)=(\S+)/g)) flags[name] = value;
    return '';
  });
  return { keyword: keyword.toUpperCase(), flags, rest: rest.trim() };
}

function readStage([from, ...instructions]: readonly Instruction[]): Stage {
  const [, base = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(from?.rest ?? '') ?? [];
  return { name, base, instructions };
}
