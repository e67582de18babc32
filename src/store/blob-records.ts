/** Rows whose bytes are blobs named after their ids. An expired one counts as removed, though its row may still be there. */
export interface BlobRecords {
  /** Ids of expired rows, the oldest expiry first. */
  expired(limit: number): Promise<readonly string[]>;
  /** Removes rows, expired or not. */
  remove(ids: readonly string[]): Promise<void>;
  /** The ids after the given one that start with the prefix, in order, and when each was made. */
  names(
    prefix: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly createdAt: Date }[]>;
}
