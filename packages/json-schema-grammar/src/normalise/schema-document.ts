import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

const ROOT_URL = 'schema://document/root';
/** Keywords whose values are data: `$id` and anchors in them are ignored. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** A referenced schema and its path in the document. */
export interface Located {
  readonly schema: Json;
  readonly path: string;
  /** Whether a dynamic reference may resolve to another schema, depending on the path to it. */
  readonly isUncertain?: boolean;
}

/** A reference and its position. */
interface Reference {
  readonly uri: string;
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly from: JsonObject;
  readonly path: string;
}

/** A possible target of a dynamic reference. */
interface DynamicTarget {
  readonly schema: JsonObject;
  readonly base: string;
}

/** A value of the document and its parent; `pathTo` computes the path on demand. */
interface SchemaPosition {
  readonly value: Json;
  readonly base: string;
  readonly key: string;
  readonly outer: SchemaPosition | undefined;
}

/** The name under which all `$recursiveAnchor` schemas are listed; they have none of their own. */
const RECURSIVE = '$recursiveAnchor';

/** Indexes the `$id`s and anchors of a JSON Schema document and resolves references. */
export class SchemaDocument {
  readonly #root: Json;
  readonly #rootBase: string;
  /** Base URLs of schemas below an `$id`; all others have the root's. */
  readonly #bases = new Map<JsonObject, string>();
  /** Positions of schemas with an `$id` or anchor. */
  readonly #positions = new Map<Json, SchemaPosition>();
  readonly #resources = new Map<string, Json>();
  readonly #anchors = new Map<string, JsonObject>();
  readonly #dynamic = new Map<string, DynamicTarget[]>();
  /** Cache by base and URI: documents repeat references, and parsing URLs is slow. */
  readonly #found = new Map<string, Located>();

  constructor(root: Json) {
    this.#root = root;
    this.#resources.set(ROOT_URL, root);
    this.#index(root, ROOT_URL);
    this.#rootBase = (isObject(root) && this.#bases.get(root)) || ROOT_URL;
  }

  /** Resolves a reference; throws SchemaRefused. */
  resolve(reference: Reference): Located {
    const base = this.#bases.get(reference.from) ?? ROOT_URL;
    const key = `${base} ${reference.uri}`;
    const found = this.#found.get(key) ?? this.#resolveStatic(reference, base);
    this.#found.set(key, found);
    if (reference.keyword === '$ref' || !isObject(found.schema)) return found;
    const anchor = reference.keyword === '$recursiveRef' ? RECURSIVE : found.schema.$dynamicAnchor;
    const targets = typeof anchor === 'string' ? (this.#dynamic.get(anchor) ?? []) : [];
    const isDynamic = anchor === RECURSIVE || reference.uri.endsWith(`#${anchor}`);
    if (!isDynamic || !targets.some(({ schema }) => schema === found.schema)) return found;
    // A dynamic reference resolves to the outermost schema with the anchor, and every path starts at the root.
    const outermost = targets.find(({ base }) => base === this.#rootBase);
    if (outermost) return this.#locate(outermost.schema);
    return targets.length > 1 ? { ...found, isUncertain: true } : found;
  }

  #addDynamic(anchor: string, target: DynamicTarget): void {
    this.#dynamic.set(anchor, [...(this.#dynamic.get(anchor) ?? []), target]);
  }

  #resolveStatic({ uri, path }: Reference, base: string): Located {
    const url = parseUrl(uri, base);
    const fragment = decodeFragment(url);
    url.hash = '';
    const resource = this.#resources.get(url.href) ?? (uri.startsWith('#') ? this.#root : undefined);
    if (resource === undefined) {
      const advice = 'put the schema it names under $defs of the same document';
      throw new SchemaRefused('remote-reference', path, `"${uri}" leads out of the schema: ${advice}.`);
    }
    const found = this.#lookUp(resource, fragment, url.href);
    if (found === undefined)
      throw new SchemaRefused('invalid', path, `"${uri}" leads nowhere in the schema.`);
    return found;
  }

  #lookUp(resource: Json, fragment: string, url: string): Located | undefined {
    if (fragment === '') return this.#locate(resource);
    if (fragment.startsWith('/'))
      return this.#follow(resource, fragment) ?? this.#follow(this.#root, fragment);
    const anchored = this.#anchors.get(`${url}#${fragment}`);
    return anchored && this.#locate(anchored);
  }

  #follow(resource: Json, pointer: string): Located | undefined {
    let found: Json | undefined = resource;
    for (const step of pointer.slice(1).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (isArray(found)) found = found[Number(key)];
      else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return found === undefined ? undefined : { schema: found, path: this.#locate(resource).path + pointer };
  }

  #locate(schema: Json): Located {
    return { schema, path: pathTo(this.#positions.get(schema)) };
  }

  // A stack instead of recursion: the document may be nested deeply.
  #index(root: Json, rootBase: string): void {
    const waiting: SchemaPosition[] = [{ value: root, base: rootBase, key: '', outer: undefined }];
    for (let outer = waiting.pop(); outer; outer = waiting.pop()) {
      const { value } = outer;
      const base = isObject(value) ? this.#register(value, outer) : outer.base;
      for (const [key, child] of Object.entries(value ?? {})) {
        const isInside = typeof child === 'object' && child !== null;
        if (isInside && !(isObject(value) && DATA_KEYWORDS.has(key))) {
          waiting.push({ value: child, base, key, outer });
        }
      }
    }
  }

  #register(schema: JsonObject, position: SchemaPosition): string {
    const outerBase = position.base;
    let base = outerBase;
    const id = schema.$id ?? schema.id;
    if (typeof id === 'string' && URL.canParse(id, outerBase)) {
      this.#positions.set(schema, position);
      if (id.startsWith('#')) this.#anchors.set(`${outerBase}${id}`, schema);
      else {
        const url = new URL(id, outerBase);
        url.hash = '';
        base = url.href;
        this.#resources.set(base, schema);
      }
    }
    if (base !== ROOT_URL) this.#bases.set(schema, base);
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    if ($anchor ?? $dynamicAnchor ?? $recursiveAnchor) this.#positions.set(schema, position);
    if (typeof $anchor === 'string') this.#anchors.set(`${base}#${$anchor}`, schema);
    if (typeof $dynamicAnchor === 'string') {
      this.#anchors.set(`${base}#${$dynamicAnchor}`, schema);
      this.#addDynamic($dynamicAnchor, { schema, base });
    }
    if ($recursiveAnchor === true) this.#addDynamic(RECURSIVE, { schema, base });
    return base;
  }
}

/** Escapes a key for a JSON pointer. */
export function escapeKey(key: string): string {
  // Most keys need no escaping, and the check is cheaper than replacing.
  if (!key.includes('/') && !key.includes('~')) return key;
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function pathTo(position: SchemaPosition | undefined): string {
  let path = '';
  for (let at = position; at?.outer; at = at.outer) path = `/${escapeKey(at.key)}${path}`;
  return path;
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
