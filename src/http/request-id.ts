import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;
const ID_BYTES = 12;
const PREFIX = 'req_';

/** Makes request ids. Random bytes are drawn in blocks: one draw per request costs more than the id. */
export function requestIdMaker(): () => string {
  let pool = Buffer.alloc(0);
  let offset = 0;
  return () => {
    if (offset + ID_BYTES > pool.length) {
      pool = randomBytes(POOL_BYTES);
      offset = 0;
    }
    offset += ID_BYTES;
    return PREFIX + pool.toString('hex', offset - ID_BYTES, offset);
  };
}
