/** A document as it comes, before anything is known of it. */
export interface DocumentSource {
  readonly name: string;
  readonly bytes: Uint8Array;
}
