import type { ChatFields } from './chat-body.ts';

/** Writes the fields of requests as JSON. Most are those of the request before, and are written once. */
export class WrittenFields {
  #latest: ChatFields = {};
  #json = '{}';

  write(fields: ChatFields): string {
    if (!areSame(fields, this.#latest)) {
      this.#json = JSON.stringify(fields);
      this.#latest = fields;
    }
    return this.#json;
  }
}

/** Whether all values are the same; an object is the same as itself alone. All fields have the same names. */
function areSame(one: ChatFields, other: ChatFields): boolean {
  let name: keyof ChatFields;
  for (name in one) if (one[name] !== other[name]) return false;
  return true;
}
