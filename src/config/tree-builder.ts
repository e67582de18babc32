import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ConfigInvalid, type ConfigProblem, type KeyPath, renderPath } from './config-problem.ts';
import { ConfigTree } from './config-tree.ts';
import type { Environment } from './process-environment.ts';
import { expandReferences, unmarkReferences } from './variable-references.ts';

const maxValues = 100_000;
const maxAliases = 100;
const maxDepth = 32;

interface TreeBuilderOptions {
  readonly fileName: string;
  readonly document: Document.Parsed;
  readonly environment: Environment;
  readonly lineAt: (offset: number) => number;
}

/** Turns a YAML document into plain values, recording lines, environment references and duplicate keys. */
export class TreeBuilder {
  readonly problems: ConfigProblem[] = [];
  readonly #options: TreeBuilderOptions;
  readonly #tree = new ConfigTree();
  #valueCount = 0;
  #aliasCount = 0;

  constructor(options: TreeBuilderOptions) {
    this.#options = options;
  }

  build(): ConfigTree {
    this.#tree.value = this.#read(this.#options.document.contents, []);
    return this.#tree;
  }

  #read(node: unknown, path: KeyPath): unknown {
    if (++this.#valueCount > maxValues) this.#refuse(path, `the file holds more than ${maxValues} values`);
    if (path.length > maxDepth) this.#refuse(path.slice(0, 3), `nested deeper than ${maxDepth} levels`);
    if (isAlias(node)) return this.#read(this.#follow(node, path), path);
    if (isMap(node)) return this.#readMapping(node, path);
    if (isSeq(node)) return this.#readList(node, path);
    return isScalar(node) ? this.#readScalar(node.value, path) : null;
  }

  #follow(alias: Alias, path: KeyPath): Node | undefined {
    if (++this.#aliasCount > maxAliases)
      this.#refuse(path, `the file uses aliases more than ${maxAliases} times`);
    const target = alias.resolve(this.#options.document);
    if (target === undefined) this.#unresolved(path, 'the alias (*name) has no anchor (&name) before it');
    return target;
  }

  #readMapping(mapping: YAMLMap, path: KeyPath): Record<string, unknown> {
    const values: Record<string, unknown> = Object.create(null);
    const lines = new Map<string, number>();
    for (const pair of mapping.items) {
      const name = isScalar(pair.key) ? unmarkReferences(String(pair.key.value)) : '';
      const keyPath = [...path, name];
      const line = this.#lineOf(pair.key) ?? this.#tree.lineOf(path);
      const firstLine = lines.get(name);
      if (firstLine !== undefined) {
        this.#report(keyPath, `the key is here twice, first on line ${firstLine}`, line);
        continue;
      }
      lines.set(name, line);
      this.#tree.setLine(keyPath, line);
      values[name] = this.#read(pair.value, keyPath);
    }
    return values;
  }

  #readList(list: YAMLSeq, path: KeyPath): unknown[] {
    return list.items.map((item, position) => {
      const itemPath = [...path, position];
      const line = this.#lineOf(item);
      if (line !== undefined) this.#tree.setLine(itemPath, line);
      return this.#read(item, itemPath);
    });
  }

  #readScalar(value: unknown, path: KeyPath): unknown {
    if (value instanceof Date) return value.toISOString();
    if (typeof value !== 'string') return value;
    const expanded = expandReferences(value, this.#options.environment);
    if (expanded.isMalformed) {
      return this.#unresolved(
        path,
        `expected \${NAME} with a variable name, got another "\${"; write $\${ for a plain one`,
      );
    }
    if (expanded.unset.length > 0) {
      for (const name of expanded.unset)
        this.#unresolved(path, `the environment variable ${name} is not set`);
      return undefined;
    }
    if (expanded.isSubstituted) this.#tree.markSubstituted(path);
    return expanded.text;
  }

  #unresolved(path: KeyPath, message: string): undefined {
    this.#tree.markUnresolved(path);
    this.#report(path, message, this.#tree.lineOf(path));
  }

  #report(path: KeyPath, message: string, line: number): void {
    this.problems.push({ source: this.#options.fileName, line, path: renderPath(path), message });
  }

  #refuse(path: KeyPath, message: string): never {
    this.#report(path, message, this.#tree.lineOf(path));
    throw new ConfigInvalid(this.problems);
  }

  #lineOf(node: unknown): number | undefined {
    const isNode = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
    return isNode && node.range ? this.#options.lineAt(node.range[0]) : undefined;
  }
}
