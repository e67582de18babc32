import { type RefCallback, type RefObject, useCallback, useRef } from 'react';

/**
 * Where the list or the menu of a button opens: within the dialog or the main part that the button is in, so that a screen
 * reader does not find it outside of every part of the page. In the navigation it is the main part, over which it lies.
 */
export function useSurroundings(): readonly [RefCallback<HTMLElement>, RefObject<HTMLElement | null>] {
  const place = useRef<HTMLElement | null>(null);
  const trigger = useCallback((button: HTMLElement | null) => {
    if (button !== null) place.current = button.closest('[role="dialog"]') ?? document.querySelector('main');
  }, []);
  return [trigger, place];
}
