import { describe, expect, it } from 'vitest';
import { GroupedWrites } from './grouped-writes.ts';

/** Statements that end when they are told to. */
class Statements {
  readonly started: { readonly rows: readonly string[]; readonly end: (error?: Error) => void }[] = [];

  readonly write = (rows: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      this.started.push({ rows, end: (error) => (error ? reject(error) : resolve()) });
    });

  get rows(): readonly (readonly string[])[] {
    return this.started.map(({ rows }) => rows);
  }

  async end(index: number, error?: Error): Promise<void> {
    this.started[index]?.end(error);
    await new Promise(setImmediate);
  }
}

describe('grouped writes', () => {
  it('write the first row at once, and together what comes meanwhile', async () => {
    const statements = new Statements();
    const writes = new GroupedWrites(statements.write);
    const saved = ['a', 'b', 'c'].map((row) => writes.add('one', row));
    expect(statements.rows).toEqual([['a']]);
    await statements.end(0);
    expect(statements.rows).toEqual([['a'], ['b', 'c']]);
    await statements.end(1);
    await Promise.all(saved);
    void writes.add('one', 'd');
    expect(statements.rows.at(-1)).toEqual(['d']);
  });

  it('let no owner wait for another', () => {
    const statements = new Statements();
    const writes = new GroupedWrites(statements.write);
    void writes.add('one', 'a');
    void writes.add('two', 'b');
    expect(statements.rows).toEqual([['a'], ['b']]);
  });

  it('bound a statement, and keep the order', async () => {
    const statements = new Statements();
    const writes = new GroupedWrites(statements.write);
    for (let row = 0; row < 120; row++) void writes.add('one', String(row));
    for (let index = 0; index < 4; index++) await statements.end(index);
    expect(statements.rows.map((rows) => rows.length)).toEqual([1, 50, 50, 19]);
    expect(statements.rows.flat()).toEqual(Array.from({ length: 120 }, (_, row) => String(row)));
  });

  it('fail only the row that was refused', async () => {
    const writes = new GroupedWrites((rows: readonly string[]) =>
      rows.includes('bad') ? Promise.reject(new Error('refused')) : Promise.resolve(),
    );
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((row) => writes.add('one', row)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail all rows when the database is gone, without asking again for each', async () => {
    const statements = new Statements();
    const writes = new GroupedWrites(statements.write);
    const results = Promise.allSettled(['a', 'b', 'c'].map((row) => writes.add('one', row)));
    await statements.end(0);
    await statements.end(1, Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(statements.rows).toHaveLength(2);
  });
});
