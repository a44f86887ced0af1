import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useConnection } from '../wire/connection.js';
import { useNews } from '../wire/news.js';
import { waitingQuery } from '../wire/queries.js';
import { signOut } from '../wire/sign-in.js';
import { useBadge } from './badge.js';
import { ConnectionLine, LiveState } from './connection-line.js';
import { useKeys } from './keys.js';
import { NeedsLink } from './needs-link.js';
import { ScreenLinks } from './screen-links.js';
import { applyTheme, nextTheme, readTheme } from './theme.js';

const Palette = lazy(() => import('./palette.js'));
const Help = lazy(() => import('./help.js'));

/** What is around every screen. */
export function AppFrame(): ReactNode {
  const [over, setOver] = useState<'none' | 'palette' | 'help'>('none');
  const [theme, setTheme] = useState(readTheme);
  const navigate = useNavigate();
  const { data: waits } = useQuery(waitingQuery);
  const { state } = useConnection();
  useNews();
  useBadge(waits);
  const switchTheme = () => {
    const next = nextTheme(theme);
    applyTheme(next);
    setTheme(next);
  };
  useKeys('Everywhere', [
    { keys: 'g n', label: 'Needs you', run: () => void navigate({ to: '/' }) },
    { keys: 'g r', label: 'Runs', run: () => void navigate({ to: '/runs' }) },
    { keys: 'g l', label: 'Library', run: () => void navigate({ to: '/library', search: {} }) },
    { keys: 'g f', label: 'Fragments', run: () => void navigate({ to: '/fragments', search: {} }) },
    { keys: 'g p', label: 'Platform', run: () => void navigate({ to: '/platform', search: {} }) },
    { keys: 'g s', label: 'Schedules', run: () => void navigate({ to: '/schedules' }) },
    { keys: 'g m', label: 'Machines', run: () => void navigate({ to: '/machines' }) },
    { keys: 'g u', label: 'People', run: () => void navigate({ to: '/people' }) },
    { keys: 'n', label: 'Start work', run: () => void navigate({ to: '/start' }) },
    { keys: '/', label: 'Search and commands', run: () => setOver('palette') },
    { keys: 't', label: 'Light, dark or as the system', run: switchTheme },
    { keys: 'g o', label: 'Sign out', run: () => void signOut() },
    { keys: '?', label: 'Keyboard shortcuts', run: () => setOver('help') },
  ]);
  usePaletteKey(() => setOver('palette'));
  if (state === 'refused') return <NeedsLink />;
  return (
    <div className="frame">
      <ConnectionLine />
      <header className="top">
        <Link to="/" className="brand">
          Cuebook
        </Link>
        <button type="button" className="search" onClick={() => setOver('palette')}>
          <span>
            Search<span className="search-more">, command, jump</span>
          </span>{' '}
          <kbd>Ctrl K</kbd>
        </button>
        <span className="top-right">
          <LiveState />
          <button type="button" className="quiet-button" onClick={switchTheme} aria-label={`Theme: ${theme}`}>
            {THEME_SIGNS[theme]}
          </button>
          <button
            type="button"
            className="quiet-button"
            onClick={() => setOver('help')}
            aria-label="Keyboard shortcuts"
          >
            ?
          </button>
        </span>
      </header>
      <ScreenLinks waiting={waits?.length ?? 0} />
      <main id="screen">
        <Outlet />
      </main>
      <Suspense>
        {over === 'palette' && <Palette onClose={() => setOver('none')} />}
        {over === 'help' && <Help onClose={() => setOver('none')} />}
      </Suspense>
    </div>
  );
}

const THEME_SIGNS = { auto: '◐', light: '○', dark: '●' } as const;

/** Ctrl-K opens the palette from everywhere, also while somebody types. */
function usePaletteKey(open: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
