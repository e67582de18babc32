import { once } from 'node:events';

/** Waiting chunks are sent once they have so many bytes. */
const CHUNK_BYTES = 2 ** 18;

/** Sends buffers into a table by COPY; `statement` is the whole of it. */
export async function copyInto(client, statement, buffers) {
  await new Promise((resolve, reject) => client.query(new Copy(statement, buffers, { resolve, reject })));
}

/** A query as `pg` runs it. */
class Copy {
  #statement;
  #buffers;
  #outcome;

  constructor(statement, buffers, outcome) {
    this.#statement = statement;
    this.#buffers = buffers;
    this.#outcome = outcome;
  }

  submit(connection) {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection) {
    this.#send(connection).catch((error) => connection.sendCopyFail(String(error)));
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.#outcome.resolve();
  }

  handleError(error) {
    this.#outcome.reject(error);
  }

  async #send(connection) {
    let waiting = [];
    let bytes = 0;
    const flush = async () => {
      connection.sendCopyFromChunk(Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    };
    for await (const buffer of this.#buffers) {
      waiting.push(buffer);
      bytes += buffer.length;
      if (bytes >= CHUNK_BYTES) await flush();
    }
    if (waiting.length > 0) await flush();
    connection.endCopyFrom();
  }
}

/** A row of COPY's text format; strings only. */
export function textRow(values) {
  return Buffer.from(`${values.map(escaped).join('\t')}\n`);
}

function escaped(value) {
  return value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (found) => ESCAPES[found]);
}

const ESCAPES = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The begin of COPY's binary format. */
export const BINARY_HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const BINARY_END = Buffer.from([0xff, 0xff]);
