import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const PLACE = 'stackgate-theme';
const CHANGED = 'stackgate-theme-changed';

function readTheme(): Theme {
  const stored = localStorage.getItem(PLACE);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Gives the page the theme that was chosen here last; without a choice the system's holds. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = theme;
}

function subscribe(listener: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  addEventListener(CHANGED, listener);
  dark.addEventListener('change', listener);
  return () => {
    removeEventListener(CHANGED, listener);
    dark.removeEventListener('change', listener);
  };
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, readTheme);
  const choose = (next: Theme) => {
    if (next === 'system') localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, next);
    applyTheme(next);
    dispatchEvent(new Event(CHANGED));
  };
  return [theme, choose];
}

/** Whether dark colours are shown now, by choice or by the system. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const theme = readTheme();
    return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  });
}
