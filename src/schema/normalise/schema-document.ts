import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

const ROOT_URL = 'schema://document/root';
/** Their contents are data, in which `$id` means nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** A schema found by reference, with its place in the document. */
export interface Located {
  readonly schema: Json;
  readonly path: string;
  /** Whether another schema may be meant, depending on how this one was reached. */
  readonly isUncertain?: boolean;
}

/** A reference, and where it stands. */
interface Reference {
  readonly reference: string;
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly from: JsonObject;
  readonly path: string;
}

/** A schema that a dynamic reference may lead to. */
interface DynamicTarget {
  readonly schema: JsonObject;
  readonly base: string;
}

/** What `$recursiveAnchor` marks has no name of its own. */
const RECURSIVE = '$recursiveAnchor';

/** One JSON Schema document: knows its `$id`s and anchors, and finds what a reference names. */
export class SchemaDocument {
  readonly #root: Json;
  readonly #rootBase: string;
  readonly #bases = new Map<JsonObject, string>();
  readonly #paths = new Map<JsonObject, string>();
  readonly #resources = new Map<string, Json>();
  readonly #anchors = new Map<string, JsonObject>();
  readonly #dynamic = new Map<string, DynamicTarget[]>();

  constructor(root: Json) {
    this.#root = root;
    this.#resources.set(ROOT_URL, root);
    this.#index(root, ROOT_URL);
    this.#rootBase = (isObject(root) && this.#bases.get(root)) || ROOT_URL;
  }

  /** What a reference names. */
  resolve(place: Reference): Located {
    const found = this.#resolveStatic(place);
    if (place.keyword === '$ref' || !isObject(found.schema)) return found;
    const anchor = place.keyword === '$recursiveRef' ? RECURSIVE : found.schema.$dynamicAnchor;
    const targets = typeof anchor === 'string' ? (this.#dynamic.get(anchor) ?? []) : [];
    const isDynamic = anchor === RECURSIVE || place.reference.endsWith(`#${anchor}`);
    if (!isDynamic || !targets.some(({ schema }) => schema === found.schema)) return found;
    // Of all schemas on the way with the anchor the outermost is meant, and every way begins at the root.
    const outermost = targets.find(({ base }) => base === this.#rootBase);
    if (outermost) return this.#locate(outermost.schema, '');
    return targets.length > 1 ? { ...found, isUncertain: true } : found;
  }

  #addDynamic(anchor: string, target: DynamicTarget): void {
    this.#dynamic.set(anchor, [...(this.#dynamic.get(anchor) ?? []), target]);
  }

  #resolveStatic({ reference, from, path }: Reference): Located {
    const url = parseUrl(reference, this.#bases.get(from) ?? ROOT_URL);
    const fragment = decodeFragment(url);
    url.hash = '';
    const resource = this.#resources.get(url.href) ?? (reference.startsWith('#') ? this.#root : undefined);
    if (resource === undefined) {
      const advice = 'put the schema it names under $defs of the same document';
      throw new SchemaRefused('remote-reference', path, `"${reference}" leads out of the schema: ${advice}.`);
    }
    const found = this.#lookUp(resource, fragment, url.href);
    if (found === undefined)
      throw new SchemaRefused('invalid', path, `"${reference}" leads nowhere in the schema.`);
    return found;
  }

  #lookUp(resource: Json, fragment: string, url: string): Located | undefined {
    if (fragment === '') return this.#locate(resource, '');
    if (fragment.startsWith('/'))
      return this.#follow(resource, fragment) ?? this.#follow(this.#root, fragment);
    const anchored = this.#anchors.get(`${url}#${fragment}`);
    return anchored && this.#locate(anchored, '');
  }

  #follow(resource: Json, pointer: string): Located | undefined {
    let found: Json | undefined = resource;
    for (const step of pointer.slice(1).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (isArray(found)) found = found[Number(key)];
      else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return found === undefined ? undefined : this.#locate(found, pointer);
  }

  #locate(schema: Json, path: string): Located {
    return { schema, path: isObject(schema) ? (this.#paths.get(schema) ?? path) : path };
  }

  // A stack instead of recursion: the document may nest as deep as its reader allows.
  #index(root: Json, rootBase: string): void {
    const waiting: { value: Json; base: string; path: string }[] = [
      { value: root, base: rootBase, path: '' },
    ];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { value, path } = next;
      if (isArray(value)) {
        for (const [index, item] of value.entries())
          waiting.push({ ...next, value: item, path: `${path}/${index}` });
      } else if (isObject(value)) {
        const base = this.#register(value, next.base);
        this.#paths.set(value, path);
        for (const [key, child] of Object.entries(value)) {
          if (!DATA_KEYWORDS.has(key))
            waiting.push({ value: child, base, path: `${path}/${escapeKey(key)}` });
        }
      }
    }
  }

  #register(schema: JsonObject, outerBase: string): string {
    let base = outerBase;
    const id = schema.$id ?? schema.id;
    if (typeof id === 'string' && URL.canParse(id, outerBase)) {
      if (id.startsWith('#')) this.#anchors.set(`${outerBase}${id}`, schema);
      else {
        const url = new URL(id, outerBase);
        url.hash = '';
        base = url.href;
        this.#resources.set(base, schema);
      }
    }
    this.#bases.set(schema, base);
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === 'string') this.#anchors.set(`${base}#${anchor}`, schema);
    }
    if (typeof schema.$dynamicAnchor === 'string') this.#addDynamic(schema.$dynamicAnchor, { schema, base });
    if (schema.$recursiveAnchor === true) this.#addDynamic(RECURSIVE, { schema, base });
    return base;
  }
}

/** A key as one step of a JSON pointer. */
export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function parseUrl(reference: string, base: string): URL {
  return URL.canParse(reference, base) ? new URL(reference, base) : new URL('schema://document/unknown');
}

function decodeFragment(url: URL): string {
  try {
    return decodeURIComponent(url.hash.slice(1));
  } catch {
    return url.hash.slice(1);
  }
}
