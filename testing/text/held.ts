/** Something that waits until a test lets it go on. */
export interface Held {
  readonly until: Promise<void>;
  readonly release: () => void;
}

/** A new one. */
export function hold(): Held {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
}
