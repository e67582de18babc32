import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { readState, type Shape, type StateOf, writeState } from './url-state.ts';

/** Browsers refuse more than about a hundred changes of the address in half a minute, so typing is written when it pauses. */
const WRITE_AFTER_MS = 250;
/** Longer addresses are refused by browsers and cut by mail programs; a long conversation then stays on its page only. */
const MOST_CHARACTERS = 100_000;
/** wouter makes events of the calls that raise none. */
const EVENTS = ['popstate', 'hashchange', 'pushState', 'replaceState'];

function subscribe(listener: () => void): () => void {
  for (const name of EVENTS) addEventListener(name, listener);
  return () => {
    for (const name of EVENTS) removeEventListener(name, listener);
  };
}

/** The fragment of the address, as it changes. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => location.hash);
}

/**
 * The state of a page, kept in the fragment of the address: it survives a reload, can be sent to a colleague, and is never
 * sent to a server, so no prompt gets into a log.
 */
export function useUrlState<S extends Shape>(
  shape: S,
): readonly [StateOf<S>, (change: Partial<StateOf<S>>) => void] {
  const fragment = useFragment();
  const [state, setState] = useState(() => readState(shape, fragment));
  const written = useRef(fragment);
  const current = useRef(state);
  current.current = state;

  // The address was changed elsewhere: by a link, or by going back.
  useEffect(() => {
    if (fragment === written.current) return;
    written.current = fragment;
    setState(readState(shape, fragment));
  }, [fragment, shape]);

  useEffect(() => {
    const next = writeState(shape, state);
    if (next === location.hash || next === written.current || next.length > MOST_CHARACTERS) return;
    const page = location.pathname;
    const write = () => {
      if (location.pathname !== page) return;
      written.current = next;
      history.replaceState(history.state, '', `${location.pathname}${location.search}${next}`);
    };
    const timer = setTimeout(write, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [shape, state]);

  const change = useCallback(
    (next: Partial<StateOf<S>>) => setState((before) => ({ ...before, ...next })),
    [],
  );
  return [state, change];
}
