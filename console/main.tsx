import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError } from './api/api-error.ts';
import { whenSignedOut } from './api/client.ts';
import { SESSION } from './api/session.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './state/theme.ts';
import './styles.css';

const MOST_RETRIES = 2;

applyTheme();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the gateway refused once it refuses again; a lost connection may come back.
      retry: (count, error) => count < MOST_RETRIES && !(error instanceof ApiError && error.status < 500),
    },
  },
});
whenSignedOut(() => void client.invalidateQueries({ queryKey: SESSION }));

const place = document.getElementById('app');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={client}>
          <Router base="/console">
            <App />
          </Router>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
