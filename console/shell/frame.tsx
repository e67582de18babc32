import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ask } from '../api/client.ts';
import { SESSION, useSession } from '../api/session.ts';
import { type Theme, useTheme } from '../state/theme.ts';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { pages } from './pages.ts';
import { PasswordDialog } from './password-dialog.tsx';

/** The navigation beside every page; on narrow screens it is behind a button. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[216px_minmax(0,1fr)]">
      <button
        type="button"
        onClick={focusContent}
        className={`${buttonClass({ look: 'primary' })} fixed top-2 left-2 z-50 -translate-y-16 focus:translate-y-0`}
      >
        Skip to content
      </button>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-surface px-2 lg:hidden">
        <Dialog.Root open={open} onOpenChange={setOpen}>
          <Dialog.Trigger render={<IconButton label="Menu" icon="menu" size="large" />} />
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop z-30" />
            <Dialog.Popup className="fixed inset-y-0 left-0 z-30 flex w-64 flex-col border-r border-line bg-surface transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
              <Dialog.Title className="sr-only">Menu</Dialog.Title>
              <Navigation />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <Brand />
      </header>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface lg:flex">
        <Navigation />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
    </div>
  );
}

/** The fragment holds the state of the page, so a link to `#content` would lose it. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

export function Brand() {
  return (
    <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M8 22V12.5a2.500 2.500 0 0 1 2.500-2.500h11a2.500 2.500 0 0 1 2.500 2.500V22M13 22v-6h6v6"
          fill="none"
          className="stroke-on-accent"
          strokeWidth="2.500"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Stackgate
    </Link>
  );
}

function Navigation() {
  const [path] = useLocation();
  const { role, version } = useSession();
  const shown = pages.filter(({ roles }) => roles === undefined || roles.includes(role));
  const isHere = (at: string) => (at === '/' ? path === '/' : path === at || path.startsWith(`${at}/`));
  return (
    <>
      <div className="flex h-14 shrink-0 items-center justify-between px-4">
        <Brand />
        {version !== undefined && <span className="text-xs text-faint">{version}</span>}
      </div>
      <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {(['Operate', 'Playground'] as const).map((group) => (
          <div key={group} className="mb-4">
            <p className="px-2 pb-1 text-xs font-medium text-faint">{group}</p>
            <ul>
              {shown
                .filter((page) => page.group === group)
                .map(({ path: at, title, icon }) => (
                  <li key={at}>
                    <Link
                      href={at}
                      aria-current={isHere(at) ? 'page' : undefined}
                      className={`flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm focus-visible:-outline-offset-2 ${isHere(at) ? 'bg-accent-soft font-medium text-accent-strong' : 'text-muted hover:bg-hover hover:text-ink'}`}
                    >
                      <Icon name={icon} />
                      {title}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <Account />
    </>
  );
}

const ROLES = { operator: 'Operator', 'read-only': 'Read only', member: 'Member' } as const;
const THEMES: readonly (readonly [Theme, string, 'screen' | 'sun' | 'moon'])[] = [
  ['system', 'Theme of the system', 'screen'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

function Account() {
  const session = useSession();
  const client = useQueryClient();
  const [theme, chooseTheme] = useTheme();
  const [changesPassword, setChangesPassword] = useState(false);
  const signOut = async () => {
    await ask('/session', { method: 'DELETE' }).catch(() => {});
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    await client.invalidateQueries({ queryKey: SESSION });
  };
  return (
    <div className="flex items-center gap-1 border-t border-line p-2">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
          >
            <Icon name="user" />
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
          onSelect: () => chooseTheme(name),
        }))}
      />
      <PasswordDialog open={changesPassword} onClose={() => setChangesPassword(false)} />
    </div>
  );
}
