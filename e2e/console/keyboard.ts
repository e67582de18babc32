import type { Locator, Page } from 'playwright-core';

/** Pages have fewer things that take the focus. */
const MOST_STEPS = 250;
interface Focusable {
  readonly parentElement: { contains(other: unknown): boolean } | null;
}
type Window = typeof globalThis & { readonly document: { readonly activeElement: Focusable | null } };

// Both run in the browser.
const hasFocus = (element: unknown) => element === (globalThis as Window).document.activeElement;
const groupHasFocus = (element: unknown) =>
  (element as Focusable).parentElement?.contains((globalThis as Window).document.activeElement) === true;

/** The hands of a person without a mouse. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes on with Tab until a thing has the focus. */
  async reach(target: Locator): Promise<void> {
    await this.#step('Tab', target);
  }

  /** Goes to a button, a link or the like, and presses it. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.reach(target);
    await this.#page.keyboard.press(key);
  }

  /** Goes to a field and writes over what is in it. */
  async write(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.insertText(text);
  }

  /** Takes one of a few that stand side by side: Tab leads to all of them, arrows to each. */
  async pick(target: Locator): Promise<void> {
    await this.#step('Tab', target, groupHasFocus);
    await this.#step('ArrowRight', target);
    await this.#page.keyboard.press('Enter');
  }

  /** Opens a menu or a list, and takes one of its items. */
  async choose(opener: Locator, item: Locator): Promise<void> {
    await this.press(opener);
    await this.#step('ArrowDown', item);
    await this.#page.keyboard.press('Enter');
  }

  async #step(key: string, target: Locator, isThere = hasFocus): Promise<void> {
    await target.waitFor();
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (await target.evaluate(isThere)) return;
      await this.#page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${target}`);
  }
}
