/** Finds the end of a JSON object or array in text that arrives in pieces. */
export class JsonExtent {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The number of characters of this piece that belong to the value. */
  take(piece: string): number {
    for (let index = 0; index < piece.length; index += 1) {
      if (this.#isWhole) return index;
      this.#read(piece[index]);
    }
    return piece.length;
  }

  #read(character: string | undefined): void {
    if (this.#isInText) {
      this.#readInText(character);
      return;
    }
    if (character === '"') this.#isInText = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') {
      this.#depth -= 1;
      this.#isWhole = this.#depth === 0;
    }
  }

  #readInText(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }
}
