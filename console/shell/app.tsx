import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSignedIn } from '../api/session.ts';
import { useFragment } from '../state/use-url-state.ts';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Frame } from './frame.tsx';
import { LoginPage, pages, SetupPage, StackPage } from './pages.ts';

/** The console: the log-in, or the frame with the page of the address. */
export function App() {
  const signedIn = useSignedIn();
  const [path] = useLocation();
  const fragment = useFragment();
  // Links for set-up, invitations and new passwords all end here: /console/#setup=TOKEN.
  if (path === '/setup' || fragment.startsWith('#setup='))
    return (
      <Alone>
        <SetupPage />
      </Alone>
    );
  if (signedIn.isPending) return <Loading label="Loading the console" />;
  if (signedIn.isError) {
    return (
      <div className="mx-auto mt-24 max-w-lg p-4">
        <Problem error={signedIn.error} retry={() => void signedIn.refetch()} />
      </div>
    );
  }
  if (signedIn.data.session === null)
    return (
      <Alone>
        <LoginPage />
      </Alone>
    );
  return (
    <Frame>
      <Suspense
        fallback={
          <div className="mx-auto max-w-6xl p-6">
            <Loading rows={8} />
          </div>
        }
      >
        <Switch>
          {pages.map(({ path: at, page: Content }) => (
            <Route key={at} path={at}>
              <Content />
            </Route>
          ))}
          <Route path="/stacks/:id">
            <StackPage />
          </Route>
          <Route path="/login">
            <Redirect to="/" replace />
          </Route>
          <Route>
            <Page title="Not found">
              <Card>
                <Empty icon="search" title="There is no such page">
                  The address may be from another version of the console.
                </Empty>
              </Card>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}

/** A page without the navigation. */
function Alone({ children }: { children: React.ReactNode }) {
  return <Suspense fallback={<Loading />}>{children}</Suspense>;
}
