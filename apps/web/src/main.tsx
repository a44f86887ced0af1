import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './routes.js';
import { listenToKeys } from './shell/keys.js';
import { NeedsLink } from './shell/needs-link.js';
import { applyTheme, readTheme } from './shell/theme.js';
import { queries } from './wire/queries.js';
import { token } from './wire/server.js';

applyTheme(readTheme());
listenToKeys();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      {token === null ? <NeedsLink /> : <RouterProvider router={router} />}
    </QueryClientProvider>
  </StrictMode>,
);
