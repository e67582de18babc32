/** SIGHUP while the gateway runs. One that comes before anybody asks is kept; left to Node it would end the process. */
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

  /** Acts at every hang-up from now on, and at once if there was one before. */
  onEach(act: () => void): void {
    this.#act = act;
    if (this.#missed) act();
    this.#missed = false;
  }

  [Symbol.dispose](): void {
    process.off('SIGHUP', this.#onHangUp);
  }
}
