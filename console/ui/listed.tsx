import type { ReactNode } from 'react';
import { LoadMore } from './load-more.tsx';
import { Loading, Problem } from './notes.tsx';

interface List<T> {
  readonly data: readonly T[] | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** A list in each of its states: it comes, it failed, there is nothing in it, or there are rows and perhaps more of them. */
export function Listed<T>({
  list,
  empty,
  auto = false,
  children,
}: {
  list: List<T>;
  empty: ReactNode;
  /** The rest comes by itself when the end is in view. */
  auto?: boolean;
  children: (rows: readonly T[]) => ReactNode;
}) {
  const { data, isError, error, refetch } = list;
  return (
    <>
      {isError && <Problem inset error={error} retry={() => void refetch()} />}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && data.length === 0 && empty}
      {data !== undefined && data.length > 0 && (
        <>
          {children(data)}
          <LoadMore list={list} auto={auto} />
        </>
      )}
    </>
  );
}
