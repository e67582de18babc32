import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react';
import type { IconName } from './icon.tsx';

const OpenMenu = lazy(() => import('./open-menu.tsx').then((module) => ({ default: module.OpenMenu })));

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Of a menu in which one item is chosen: whether it is this one. */
  readonly chosen?: boolean;
}

export interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end';
}

/** Things to do with one row or one thing. Its code comes when it is first opened, so a row of a table is a button until then. */
export function Menu({ trigger, ...rest }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={trigger} {...rest} />
    </Suspense>
  );
}
