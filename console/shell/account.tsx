import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ask } from '../api/client.ts';
import { SESSION, useSession } from '../api/session.ts';
import { type Theme, useTheme } from '../state/theme.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
);

const ROLES = { operator: 'Operator', 'read-only': 'Read only', member: 'Member' } as const;
const THEMES: readonly (readonly [Theme, string, 'screen' | 'sun' | 'moon'])[] = [
  ['system', 'Theme of the system', 'screen'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

/** Who is signed in, and the theme. */
export function Account() {
  const session = useSession();
  const signOut = useSignOut();
  const [theme, chooseTheme] = useTheme();
  const [changesPassword, setChangesPassword] = useState(false);
  return (
    <div className="flex items-center gap-1 border-t border-line p-2">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
          >
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase"
            >
              {session.name.replace(/^\w+:/, '').slice(0, 1)}
            </span>
            <span className="min-w-0">
              <span className="block truncate text-sm leading-4 font-medium">{session.name}</span>
              <span className="block truncate text-xs text-muted">
                {ROLES[session.role]}
                {session.stack ? ` of ${session.stack}` : ''}
              </span>
            </span>
          </button>
        }
        items={[
          ...(session.door === 'password'
            ? [{ label: 'Change password', icon: 'lock' as const, onSelect: () => setChangesPassword(true) }]
            : []),
          { label: 'Sign out', icon: 'signOut', onSelect: () => void signOut() },
        ]}
      />
      <Menu
        trigger={<IconButton label="Theme" icon={THEMES.find(([name]) => name === theme)?.[2] ?? 'screen'} />}
        items={THEMES.map(([name, label, icon]) => ({
          label,
          icon: name === theme ? 'check' : icon,
          chosen: name === theme,
          onSelect: () => chooseTheme(name),
        }))}
      />
      {changesPassword && (
        <Suspense>
          <PasswordDialog onClose={() => setChangesPassword(false)} />
        </Suspense>
      )}
    </div>
  );
}

function useSignOut() {
  const client = useQueryClient();
  return async () => {
    await ask('/session', { method: 'DELETE' }).catch(() => {});
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    await client.invalidateQueries({ queryKey: SESSION });
  };
}
