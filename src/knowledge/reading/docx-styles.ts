import { readXml } from './xml-elements.ts';

/** The properties of a paragraph style. */
export interface DocxStyle {
  /** From 0, as in the file; 9 is body text. */
  readonly outlineLevel: number | undefined;
  readonly isTitle: boolean;
  readonly isList: boolean;
}

interface StyleEntry {
  name: string;
  basedOn: string | undefined;
  outlineLevel: number | undefined;
  isList: boolean;
}

/** Bounds inheritance, which may be cyclic in a broken file. */
const MAX_STYLE_CHAIN = 20;

/** The styles of a document. Word translates style ids in some languages, so headings are found by outline level. */
export class DocxStyles {
  readonly #entries = new Map<string, StyleEntry>();

  constructor(part: Uint8Array | undefined, refuse: (reason: string) => Error) {
    if (!part) return;
    let entry: StyleEntry | undefined;
    const open = (name: string, attributes: ReadonlyMap<string, string>) => {
      const value = attributes.get('val');
      if (name === 'style') {
        entry = { name: '', basedOn: undefined, outlineLevel: undefined, isList: false };
        this.#entries.set(attributes.get('styleId') ?? '', entry);
      } else if (!entry) return;
      else if (name === 'name') entry.name = value ?? '';
      else if (name === 'basedOn') entry.basedOn = value;
      else if (name === 'outlineLvl') entry.outlineLevel = levelOf(value);
      else if (name === 'numPr') entry.isList = true;
    };
    const close = (name: string) => {
      if (name === 'style') entry = undefined;
    };
    readXml(part, { open, close }, refuse);
  }

  /** A style with inherited properties. */
  style(id: string | undefined): DocxStyle {
    const chain = id === undefined ? [] : this.#chainOf(id);
    const own = chain[0];
    const named = /^heading ?([1-9])$/i.exec(own?.name ?? id ?? '')?.[1];
    const outlineLevel = chain.find((entry) => entry.outlineLevel !== undefined)?.outlineLevel;
    return {
      outlineLevel: outlineLevel ?? (named === undefined ? undefined : Number(named) - 1),
      isTitle: /^title$/i.test(own?.name ?? id ?? ''),
      isList: chain.some(({ isList }) => isList),
    };
  }

  #chainOf(id: string): readonly StyleEntry[] {
    const chain: StyleEntry[] = [];
    let entry = this.#entries.get(id);
    while (entry && chain.length < MAX_STYLE_CHAIN) {
      chain.push(entry);
      entry = entry.basedOn === undefined ? undefined : this.#entries.get(entry.basedOn);
    }
    return chain;
  }
}

/** Parses an outline level; undefined if absent. */
export function levelOf(value: string | undefined): number | undefined {
  const level = Number(value);
  return value !== undefined && Number.isInteger(level) && level >= 0 && level <= 9 ? level : undefined;
}
