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
  readonly uri: string;
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly from: JsonObject;
  readonly path: string;
}

/** A schema that a dynamic reference may lead to. */
interface DynamicTarget {
  readonly schema: JsonObject;
  readonly base: string;
}

/** A value of the document on the way to those inside it; the path is written only where it is asked for. */
interface SchemaPosition {
  readonly value: Json;
  readonly base: string;
  readonly key: string;
  readonly outer: SchemaPosition | undefined;
}

/** What `$recursiveAnchor` marks has no name of its own. */
const RECURSIVE = '$recursiveAnchor';

/** One JSON Schema document: knows its `$id`s and anchors, and finds what a reference names. */
export class SchemaDocument {
  readonly #root: Json;
  readonly #rootBase: string;
  /** Of schemas below an `$id`; for all others it is the root's. */
  readonly #bases = new Map<JsonObject, string>();
  /** Where the schemas stand that have a name of their own. */
  readonly #positions = new Map<Json, SchemaPosition>();
  readonly #resources = new Map<string, Json>();
  readonly #anchors = new Map<string, JsonObject>();
  readonly #dynamic = new Map<string, DynamicTarget[]>();
  /** What references named, by where they begin: a document has many that are the same, and reading one as a URL takes long. */
  readonly #found = new Map<string, Located>();

  constructor(root: Json) {
    this.#root = root;
    this.#resources.set(ROOT_URL, root);
    this.#index(root, ROOT_URL);
    this.#rootBase = (isObject(root) && this.#bases.get(root)) || ROOT_URL;
  }

  /** What a reference names. */
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
    // Of all schemas on the way with the anchor the outermost is meant, and every way begins at the root.
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

  // A stack instead of recursion: the document may nest as deep as its reader allows.
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

/** A key as one step of a JSON pointer. */
export function escapeKey(key: string): string {
  // Most keys have nothing to escape, and looking is cheaper than replacing.
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
