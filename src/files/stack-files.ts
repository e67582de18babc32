import type { SpanParent } from '../telemetry/request-trace.ts';

/** A stored file that a request names. */
export interface FileReference {
  readonly id: string;
  /** The field that names it, for messages. */
  readonly param: string;
}

/** A file with its bytes. */
export interface StackFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer;
}

/** The request that files are read for. */
export interface FileReading {
  readonly stackId: string;
  /** The most bytes that the files may have together. */
  readonly mostBytes: number;
  readonly request: FileHolder;
}

export interface FileHolder {
  readonly signal: AbortSignal;
  /** Absent: the request is not traced. */
  readonly trace?: SpanParent | undefined;
  /** Holds memory for bytes until the request ends; throws if there is no room for them. */
  holdMemory?(bytes: number): void;
}

/** Reads stored files for requests that name them by `file_id`. */
export interface StackFiles {
  /** The files, in order. A file that the stack does not have is a fault that names its field. */
  read(references: readonly FileReference[], reading: FileReading): Promise<readonly StackFile[]>;
}
