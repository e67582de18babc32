import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import { Mark } from './brand.tsx';
import { type PageEntry, pages } from './pages.ts';

/** The navigation, and who is signed in. */
export function Navigation() {
  const { door, version } = useSession();
  const shown = pages.filter(({ isForPeople }) => isForPeople !== true || door !== 'key');
  return (
    <>
      <div className="flex h-14 shrink-0 items-center justify-between px-4">
        <HomeLink />
        {version !== undefined && <span className="tabular text-xs text-faint">{version}</span>}
      </div>
      <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-4">
        {(['Operate', 'Playground'] as const).map((group) => (
          <div key={group} className="mb-5">
            <p className="px-2 pb-1.5 text-xs font-medium text-faint">{group}</p>
            <ul className="flex flex-col gap-px">
              {shown
                .filter((page) => page.group === group)
                .map((page) => (
                  <PageLink key={page.path} page={page} />
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <Account />
    </>
  );
}

export function HomeLink() {
  return (
    <Link href="/" className="flex items-center gap-2.5 rounded-sm font-semibold tracking-tight">
      <Mark />
      Stackgate
    </Link>
  );
}

function PageLink({ page: { path: at, title, icon } }: { page: PageEntry }) {
  const [path] = useLocation();
  const isHere = at === '/' ? path === '/' : path === at || path.startsWith(`${at}/`);
  return (
    <li>
      <Link
        href={at}
        aria-current={isHere ? 'page' : undefined}
        className={`flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm focus-visible:-outline-offset-2 ${isHere ? 'bg-accent-soft font-medium text-accent-strong' : 'text-muted hover:bg-hover hover:text-ink'}`}
      >
        <Icon name={icon} />
        {title}
      </Link>
    </li>
  );
}
