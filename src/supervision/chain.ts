/** A node of a chain, for removing its value. */
export interface Link<Value> {
  readonly value: Value;
  previous: Link<Value> | undefined;
  next: Link<Value> | undefined;
}

/** A doubly linked list; adding and removing take constant time. */
export class Chain<Value> {
  #first: Link<Value> | undefined;
  #last: Link<Value> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): Link<Value> | undefined {
    return this.#first;
  }

  push(value: Value): Link<Value> {
    const link: Link<Value> = { value, previous: this.#last, next: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#length += 1;
    return link;
  }

  remove(link: Link<Value>): void {
    if (link.previous === undefined) this.#first = link.next;
    else link.previous.next = link.next;
    if (link.next === undefined) this.#last = link.previous;
    else link.next.previous = link.previous;
    this.#length -= 1;
  }
}
