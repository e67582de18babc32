/** An image to store, with its parameters. */
export interface NewImage {
  readonly id: string;
  readonly accountId: string;
  readonly stackId: string;
  readonly keyId: string;
  readonly route: 'generations' | 'edits';
  readonly model: string;
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidanceScale: number;
  readonly seed: bigint;
  readonly references: number;
  /** Words of the prompt that the model did not know; null if it cannot tell. */
  readonly unknownWords: readonly string[] | null;
  /** SHA-256 of each reference as it was sent, in hex: a reference may be a stored image. */
  readonly referenceHashes?: readonly string[];
  /** An 8-bit RGB PNG without metadata. */
  readonly png: Uint8Array;
}

/** A stored image, without its bytes. */
export interface StoredImage extends Omit<NewImage, 'png' | 'referenceHashes'> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly sizeBytes: number;
  /** Of the PNG, in hex. */
  readonly sha256: string;
}

export interface GalleryQuery {
  readonly stackId: string;
  readonly keyId?: string;
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
  /** The cursor of the previous page. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface GalleryPage {
  /** Newest first. */
  readonly images: readonly StoredImage[];
  /** Absent on the last page. */
  readonly nextCursor: string | undefined;
}

/** Stores painted images until they expire: row and bytes together, or neither. */
export interface Gallery {
  /** On return the image is durable; if it throws, nothing of it remains. */
  keep(image: NewImage, signal: AbortSignal): Promise<StoredImage>;
  list(query: GalleryQuery, signal: AbortSignal): Promise<GalleryPage>;
  /** An image of the stack that has not expired. */
  find(stackId: string, id: string, signal: AbortSignal): Promise<StoredImage | undefined>;
  readPng(stackId: string, id: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Removes row and bytes; false if the stack has no such image. */
  remove(stackId: string, id: string, signal: AbortSignal): Promise<boolean>;
}
