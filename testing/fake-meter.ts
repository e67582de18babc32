import type { Meter, Used } from '../src/access/meter.ts';

/** Records its calls. */
export class FakeMeter implements Meter {
  /** Requested reservations, oldest first. */
  readonly reserved: number[] = [];
  readonly models: string[] = [];
  readonly used: Used = { promptTokens: 0, completionTokens: 0, pages: 0, images: 0, pdfPages: 0 };
  /** Thrown by the next reservations. */
  failure: unknown;

  reserveImages(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  reserveTokens(expected: number): void {
    if (this.failure !== undefined) throw this.failure;
    this.reserved.push(expected);
  }

  add(used: Partial<Used>): void {
    const sums = Object.entries(used).map(([name, amount]) => [name, this.used[name as keyof Used] + amount]);
    Object.assign(this.used, Object.fromEntries(sums));
  }

  servedBy(model: string): void {
    this.models.push(model);
  }
}
