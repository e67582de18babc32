import { isRecord, type JsonRecord } from '../lib/json-record.ts';
import { type KeyPath, quoted } from './config-problem.ts';
import type { ConfigTree } from './config-tree.ts';
import { type DescribedIssue, unseenText } from './describe-issue.ts';
import { fallbackEngineNames } from './engine-schemas.ts';
import { nearestName } from './nearest-name.ts';

/**
 * Checks across values: dangling names, duplicates, keys that belong together. Tolerates otherwise invalid values, so that all
 * problems are reported at once.
 */
export function checkReferences(tree: ConfigTree): DescribedIssue[] {
  const root = asMapping(tree.value);
  const stacks = asList(root.stacks);
  return [
    ...checkAccessKeys(['blobs'], asMapping(root.blobs)),
    ...checkAccessKeys(['backups'], asMapping(root.backups)),
    ...stacks.flatMap((stack, position) =>
      asList(asMapping(stack).knowledge).flatMap((source, place) =>
        checkAccessKeys(['stacks', position, 'knowledge', place], asMapping(source)),
      ),
    ),
    ...checkBackupReaders(asMapping(root.backups)),
    ...checkTextEngines(asMapping(asMapping(root.engines).text)),
    ...checkCredentials(asMapping(root.engines)),
    ...checkEngineNames(tree, stacks, 'text'),
    ...checkEngineNames(tree, stacks, 'image'),
    ...repeated(tree, textsOf(stacks, ['stacks'], 'id'), 'this stack id'),
    ...stacks.flatMap((stack, position) => repeated(tree, keyTexts(stack, position, 'id'), 'this key id')),
    ...repeated(
      tree,
      stacks.flatMap((stack, position) => keyTexts(stack, position, 'secret')),
      'this secret',
    ),
  ];
}

function checkBackupReaders(backups: JsonRecord): DescribedIssue[] {
  const { recipients } = backups;
  const hasKeys = Array.isArray(recipients) && recipients.length > 0;
  if (!hasKeys || !('passphrase_file' in backups)) return [];
  return [
    {
      path: ['backups', 'passphrase_file'],
      message: 'expected either recipients or passphrase_file, got both',
    },
  ];
}

function checkAccessKeys(section: KeyPath, blobs: JsonRecord): DescribedIssue[] {
  const pair = ['access_key_id', 'secret_access_key'];
  const absent = pair.filter((key) => !(key in blobs));
  if (absent.length !== 1) return [];
  return absent.map((key) => ({
    path: [...section, key],
    message: `missing, ${pair.join(' and ')} go together`,
  }));
}

function checkTextEngines(engines: JsonRecord): DescribedIssue[] {
  return Object.entries(engines).flatMap(([name, value]) => {
    const engine = asMapping(value);
    if (engine.kind !== 'openai') return [];
    const path = ['engines', 'text', name];
    const hasOne = 'base_url' in engine;
    const hasSeveral = 'base_urls' in engine;
    if (hasOne && hasSeveral)
      return [{ path: [...path, 'base_urls'], message: 'expected either base_url or base_urls, got both' }];
    return hasOne || hasSeveral
      ? []
      : [{ path: [...path, 'base_url'], message: 'missing, expected base_url or base_urls' }];
  });
}

/** A key comes from one place, and a certificate with its key. */
function checkCredentials({ text, image, embeddings }: JsonRecord): DescribedIssue[] {
  const engines = [
    ...Object.entries(asMapping(text)).map(([name, engine]) => [['text', name], engine] as const),
    ...Object.entries(asMapping(image)).map(([name, engine]) => [['image', name], engine] as const),
    [['embeddings'], embeddings] as const,
  ];
  return engines.flatMap(([place, value]) => {
    const engine = asMapping(value);
    const path = ['engines', ...place];
    const tls = asMapping(engine.tls);
    const absent = ['certificate', 'key'].filter((key) => !(key in tls));
    return [
      ...('api_key' in engine && 'api_key_file' in engine
        ? [{ path: [...path, 'api_key_file'], message: 'expected either api_key or api_key_file, got both' }]
        : []),
      ...(absent.length === 1
        ? absent.map((key) => ({
            path: [...path, 'tls', key],
            message: 'missing, certificate and key go together',
          }))
        : []),
    ];
  });
}

function checkEngineNames(
  tree: ConfigTree,
  stacks: readonly unknown[],
  kind: keyof typeof fallbackEngineNames,
): DescribedIssue[] {
  const engines = asMapping(asMapping(tree.value).engines)[kind];
  const known = namesOf(engines, fallbackEngineNames[kind]);
  return stacks
    .flatMap((stack, position) => textsAt(asMapping(stack)[kind], ['stacks', position, kind]))
    .filter(({ value }) => !known.includes(value))
    .map(({ path, value }) => {
      const got = tree.isSubstituted(path) ? unseenText(value) : quoted(value);
      const nearest = tree.isSubstituted(path) ? undefined : nearestName(value, known);
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
      return { path, message: `no such engine, expected one of ${known.join(', ')}, got ${got}${hint}` };
    });
}

/** A text, or the texts of a list, with their paths. */
function textsAt(value: unknown, path: KeyPath): LocatedText[] {
  if (typeof value === 'string') return [{ path, value }];
  return asList(value).flatMap((each, position) => textsAt(each, [...path, position]));
}

function namesOf(engines: unknown, fallback: string): readonly string[] {
  const names = Object.keys(asMapping(engines));
  return names.length === 0 ? [fallback] : names;
}

interface LocatedText {
  readonly path: KeyPath;
  readonly value: string;
}

function keyTexts(stack: unknown, position: number, name: string): LocatedText[] {
  return textsOf(asList(asMapping(stack).keys), ['stacks', position, 'keys'], name);
}

function textsOf(entries: readonly unknown[], path: KeyPath, name: string): LocatedText[] {
  return entries.flatMap((entry, position) => {
    const value = asMapping(entry)[name];
    return typeof value === 'string' ? [{ path: [...path, position, name], value }] : [];
  });
}

function repeated(tree: ConfigTree, texts: readonly LocatedText[], what: string): DescribedIssue[] {
  const first = new Map<string, KeyPath>();
  return texts.flatMap(({ path, value }) => {
    const earlier = first.get(value);
    if (earlier !== undefined)
      return [{ path, message: `${what} is already used on line ${tree.lineOf(earlier)}` }];
    first.set(value, path);
    return [];
  });
}

function asMapping(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
