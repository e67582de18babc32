type Fields = Readonly<Record<string, unknown>>;

/** Longer ones are rare, and may be instructions, of which nothing is kept. */
const MAXIMUM_CHARACTERS = 200;
const NESTED = /[[{]/;

/** Parses the members of a body besides its lists. The last plain ones are remembered: a client repeats them with every request. */
export class KnownFields {
  #members = '';
  #fields: Fields = Object.freeze({});

  /** `members` are separated by commas, with or without a trailing one. JSON.parse treats duplicates and errors as usual. */
  parse(members: string): Fields {
    if (members === this.#members) return this.#fields;
    const text = members.endsWith(',') ? members.slice(0, -1) : members;
    const fields = JSON.parse(`{${text}}`) as Fields;
    if (members.length > MAXIMUM_CHARACTERS || NESTED.test(members)) return fields;
    this.#members = members;
    // Requests share it.
    this.#fields = Object.freeze(fields);
    return fields;
  }
}
