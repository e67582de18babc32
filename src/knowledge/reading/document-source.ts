/** A document as received. */
export interface DocumentSource {
  readonly name: string;
  readonly bytes: Uint8Array;
}
