const LINE_FEED = 0x0a;

/**
 * The lines of a UTF-8 text, split at line feeds only. Node's readline also splits at carriage returns, U+2028 and U+2029, which
 * may be inside a JSON string, and never ends if its input fails.
 */
export async function* splitLines(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const chunk of content) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8');
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8');
}
