import { describeIdempotencyBook } from './describe-idempotency-book.ts';
import { MemoryIdempotencyBook } from './memory-idempotency-book.ts';

describeIdempotencyBook('MemoryIdempotencyBook', () => {
  const book = new MemoryIdempotencyBook();
  return { book, endLeases: () => book.endLeases() };
});
