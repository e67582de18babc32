/** Handles SIGHUP. One that arrives before a handler is set is remembered; by default Node would exit. */
export class HangUps implements Disposable {
  #missed = false;
  #act: (() => void) | undefined;
  readonly #onHangUp = (): void => {
    if (this.#act === undefined) this.#missed = true;
    else this.#act();
  };

  constructor() {
    process.on('SIGHUP', this.#onHangUp);
  }

  /** Calls back for every SIGHUP from now on, and at once if one was missed. */
  onEach(act: () => void): void {
    this.#act = act;
    if (this.#missed) act();
    this.#missed = false;
  }

  [Symbol.dispose](): void {
    process.off('SIGHUP', this.#onHangUp);
  }
}
