import type { ListedModel, ModelChoice } from '../admin/models.ts';
import { modelBytes } from '../catalogue/catalogue-entry.ts';
import type { FileHealth } from '../catalogue/model-folder.ts';
import { sizeText } from '../catalogue/size-text.ts';
import type { Config } from '../config/config.ts';

/** The state of a file and its model. */
export interface ModelFileHealth extends FileHealth {
  readonly model: string;
}

/** A listed model, for scripts. */
export function listView({ entry, isInstalled, usedBy, adapters }: ListedModel) {
  return {
    name: entry.name,
    kind: entry.kind,
    size_bytes: modelBytes(entry),
    licence: entry.licence,
    installed: isInstalled,
    used_by: usedBy,
    adapters,
    tried: entry.tried,
    summary: entry.summary,
  };
}

/** A listed model, for people. */
export function listRow({
  entry,
  isInstalled,
  usedBy,
  adapters,
}: ListedModel): Readonly<Record<string, string>> {
  const state = [
    isInstalled ? 'installed' : '',
    usedBy.length > 0 ? 'in use' : '',
    ...adapters.map((name) => `adapter ${name}`),
    entry.tried ? '' : 'not tried',
  ].filter((word) => word !== '');
  return {
    name: entry.name,
    kind: entry.kind,
    size: sizeText(modelBytes(entry)),
    licence: entry.licence,
    state: state.join(', ') || '-',
  };
}

/** A verified file, for scripts. */
export function healthView({ model, file, path, health }: ModelFileHealth) {
  return { model, file: file.name, path, health };
}

/** A verified file, for people. */
export function healthRow({ model, file, health }: ModelFileHealth): Readonly<Record<string, string>> {
  return { model, file: file.name, health };
}

/** Describes what a choice changed, or how to change it by hand. */
export function choiceText({ model, switched, named, isInstalled }: ModelChoice, { file }: Config): string {
  const lines: string[] = [];
  if (switched.length > 0) {
    lines.push(`${switched.join(' and ')}: ${model}, from the next start of the gateway on.`);
    if (!isInstalled)
      lines.push(
        `It is not here yet: "stackgate models pull ${model}" fetches it now, the start does otherwise.`,
      );
  }
  if (named.length > 0) {
    lines.push(`${file} names the model of ${named.join(' and ')}. To switch, change there:`);
    lines.push(...named.flatMap((key) => yamlLines([...key.split('.'), 'model'], model)));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** A nested key as YAML. */
function yamlLines(keys: readonly string[], value: string): readonly string[] {
  return keys.map(
    (key, depth) => `${'  '.repeat(depth)}${key}:${depth === keys.length - 1 ? ` ${value}` : ''}`,
  );
}
