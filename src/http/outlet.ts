/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly requestId: string;
  /** Its own headers, as `headerLines` writes them. */
  readonly lines: string;
}

/** Where the answer of one request goes: a connection of the fast path, or Node's response. */
export interface Outlet {
  /** Whether a head was sent. */
  readonly isOpen: boolean;
  /** Whether the connection ended before the answer was complete. */
  readonly isGone: boolean;
  /** Sets the listener; called once, before anything is sent. */
  listen(listener: OutletListener): void;
  /** Sends a whole answer. */
  send(head: AnswerHead, body: string | Buffer): void;
  /** Begins a stream; the head may leave with the first piece. */
  open(head: AnswerHead): void;
  /** Sends a piece of a stream; returns false if the client takes no more for now. */
  write(piece: string): boolean;
  /** Ends a stream with a last piece, which may be empty. */
  end(piece: string): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** Hears about the progress of an answer. */
export interface OutletListener {
  /** The last bytes of the answer leave next. */
  ending?(): void;
  /** The client takes more again. */
  drained(): void;
  /** The answer was sent completely, or the connection closed. */
  closed(isComplete: boolean): void;
}
