import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';

const SHARD_DIGITS = 2;

/** The number of shards that ids fall into, by their first hexadecimal digits. */
export const SHARDS = 16 ** SHARD_DIGITS;

/** Names the blobs of one kind of thing after its ids. */
export interface BlobNaming {
  keyOf(id: string): BlobKey;
  /** Undefined for a blob of another kind. */
  idOf(key: string): string | undefined;
  /** The prefixes of a shard: of ids and of blob keys. */
  shard(shard: number): { readonly ids: string; readonly blobs: string };
}

/** Names blobs of ids such as `img_` and 32 digits: `images/4f/img_4f….png`. */
export function blobNaming(kind: {
  readonly folder: string;
  readonly idStart: string;
  readonly ending: string;
}): BlobNaming {
  const { folder, idStart, ending } = kind;
  const idForm = new RegExp(`^${idStart}[0-9a-f]{32}$`);
  const keyOf = (id: string) => {
    const digits = id.slice(idStart.length);
    return parseBlobKey(`${folder}/${digits.slice(0, SHARD_DIGITS)}/${id}${ending}`);
  };
  return {
    keyOf,
    idOf: (key) => {
      const id = key.slice(key.lastIndexOf('/') + 1, key.length - ending.length);
      return idForm.test(id) && key === keyOf(id) ? id : undefined;
    },
    shard: (shard) => {
      const digits = shard.toString(16).padStart(SHARD_DIGITS, '0');
      return { ids: `${idStart}${digits}`, blobs: `${folder}/${digits}/` };
    },
  };
}
