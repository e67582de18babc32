import { useEffect, useRef } from 'react';
import type { ShownPage } from '../page-images.ts';
import { type Leaf, leafAt } from './places.ts';

/** Values with their places, and which of them is lit. */
export interface Lighting {
  readonly leaves: readonly Leaf[];
  readonly lit: string | undefined;
  readonly onLight: (path: string | undefined) => void;
}

/** The pages of a document with a box around each value that was found. */
export function LitPages({ pages, leaves, lit, onLight }: Lighting & { pages: readonly ShownPage[] }) {
  return (
    <section
      className="flex max-h-[calc(100dvh-9rem)] flex-col gap-4 overflow-y-auto bg-sunken p-4 focus-visible:-outline-offset-2"
      tabIndex={0}
      aria-label="Pages"
    >
      {pages.map((page) => (
        <PageView
          key={`${page.file} ${page.page}`}
          page={page}
          leaves={leaves.filter(({ place }) => place?.file === page.file && place.page === page.page)}
          lit={lit}
          onLight={onLight}
        />
      ))}
    </section>
  );
}

const percent = (share: number) => `${(100 * share).toFixed(3)}%`;

function PageView({ page, leaves, lit, onLight }: Lighting & { page: ShownPage }) {
  const boxes = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (leaves.some(({ path }) => path === lit))
      boxes.current
        ?.querySelector('[data-lit="true"]')
        ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [lit, leaves]);
  const pick = (event: React.MouseEvent<HTMLDivElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onLight(
      leafAt(leaves, {
        file: page.file,
        page: page.page,
        x: (event.clientX - left) / width,
        y: (event.clientY - top) / height,
      })?.path,
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: each box is a button too
    // biome-ignore lint/a11y/useKeyWithClickEvents: each box is a button too
    <div
      ref={boxes}
      onClick={pick}
      className="relative shrink-0 self-center shadow-[0_1px_4px_var(--shadow)]"
    >
      <img
        src={page.image}
        alt={`Page ${page.page} of file ${page.file}`}
        width={page.width}
        height={page.height}
        className="h-auto w-full bg-white"
      />
      {leaves.map(({ path, place }) =>
        place === undefined ? null : (
          <button
            key={path}
            type="button"
            aria-label={`${path}: ${place.quote}`}
            data-lit={lit === path}
            onMouseEnter={() => onLight(path)}
            onMouseLeave={() => onLight(undefined)}
            onFocus={() => onLight(path)}
            onClick={(event) => {
              event.stopPropagation();
              onLight(path);
              document
                .getElementById(`leaf-${path}`)
                ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
            }}
            className="absolute -m-[3px] box-content rounded-[3px] border-2 border-[#3b5bdb]/60 bg-[#3b5bdb]/10 p-px transition-colors data-[lit=true]:border-[#d9480f] data-[lit=true]:bg-[#ffa94d]/35"
            style={{
              left: percent(place.box.x0),
              top: percent(place.box.y0),
              width: percent(place.box.x1 - place.box.x0),
              height: percent(place.box.y1 - place.box.y0),
            }}
          />
        ),
      )}
    </div>
  );
}
