import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

/** The way to every screen. On a phone it is one line that scrolls, and the screen that is shown is in sight. */
export function ScreenLinks({ waiting }: { readonly waiting: number }): ReactNode {
  const nav = useRef<HTMLElement>(null);
  const place = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has another link in sight
  useEffect(() => {
    const show = () =>
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [place]);
  return (
    <nav className="side" aria-label="Screens" ref={nav}>
      {SCREENS.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
          {label}
          {to === '/' && waiting > 0 && <span className="number">{waiting}</span>}
        </Link>
      ))}
    </nav>
  );
}

const SCREENS = [
  { to: '/', label: 'Needs you' },
  { to: '/runs', label: 'Runs' },
  { to: '/library', label: 'Library' },
  { to: '/fragments', label: 'Fragments' },
  { to: '/platform', label: 'Platform' },
  { to: '/schedules', label: 'Schedules' },
  { to: '/machines', label: 'Machines' },
  { to: '/people', label: 'People' },
  { to: '/start', label: 'Start work' },
] as const;
