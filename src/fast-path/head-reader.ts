import { BODY_LENGTH, type HotHead, readHotHead } from './hot-head.ts';

const LENGTH_LINE = /\r\ncontent-length: (\d+)\r\n/i;

/** Reads the heads of one connection. Clients repeat their head with only another body length, so it is parsed once. */
export class HeadReader {
  #last: HotHead | undefined;
  /** The last head before and after its body length. */
  #before = '';
  #after = '';

  /** Same result as `readHotHead`. */
  read(head: string): HotHead | undefined {
    const last = this.#last;
    if (last !== undefined && head.startsWith(this.#before) && head.endsWith(this.#after)) {
      const length = head.slice(this.#before.length, head.length - this.#after.length);
      if (BODY_LENGTH.test(length)) {
        const { path, headers, key, forwardedFor } = last;
        return { path, headers, key, bodyBytes: Number(length), forwardedFor };
      }
    }
    this.#last = readHotHead(head);
    if (this.#last !== undefined) this.#learn(head);
    return this.#last;
  }

  #learn(head: string): void {
    const found = LENGTH_LINE.exec(head);
    if (found === null) throw new Error('a head without a length is not hot');
    const [line, length = ''] = found;
    const end = found.index + line.length - 2;
    this.#before = head.slice(0, end - length.length);
    this.#after = head.slice(end);
  }
}
