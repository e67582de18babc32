import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { HomeLink, Navigation } from './navigation.tsx';

const Drawer = lazy(() => import('./drawer.tsx').then((module) => ({ default: module.Drawer })));

/** The navigation beside every page; on narrow screens it is behind a button. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[224px_minmax(0,1fr)]">
      <button
        type="button"
        onClick={focusContent}
        className={`${buttonClass({ look: 'primary' })} fixed top-2 left-2 z-50 -translate-y-16 focus:translate-y-0`}
      >
        Skip to content
      </button>
      <NarrowHeader />
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface lg:flex">
        <Navigation />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
    </div>
  );
}

function NarrowHeader() {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-1.5 border-b border-line bg-surface px-2 lg:hidden">
      <IconButton
        label="Menu"
        icon="menu"
        size="large"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          setOpen(true);
          setWasOpened(true);
        }}
      />
      <HomeLink />
      {wasOpened && (
        <Suspense>
          <Drawer open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}

/** The fragment holds the state of the page, so a link to `#content` would lose it. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}
