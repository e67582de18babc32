import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

/** A list that is read page by page. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** The way to the rest of a list; with `auto` it comes when the end is in view. */
export function LoadMore({ list, auto = false }: { list: Pages; auto?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (!auto || !hasNextPage || isFetchingNextPage || place.current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchNextPage(), {
      rootMargin: '600px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [auto, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={place} className="flex justify-center border-t border-line p-3">
      <Button size="small" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
