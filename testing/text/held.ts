/** A promise that a test resolves. */
export interface Held {
  readonly until: Promise<void>;
  readonly release: () => void;
}

export function hold(): Held {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
}
