import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useKeys } from '../shell/keys.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { RefusedRequest } from '../wire/server.js';
import { AuditTab } from './audit-tab.js';
import { CardsTab } from './cards-tab.js';
import { ExperimentsTab } from './experiments-tab.js';
import { FleetTab } from './fleet-tab.js';
import { HealthTab } from './health-tab.js';
import { PlacesTab } from './places-tab.js';
import { ProposalsTab } from './proposals-tab.js';
import { PublishedTab } from './published-tab.js';
import { platformQuery } from './queries.js';
import { ReviewTab } from './review-tab.js';
import { ScheduleTab } from './schedule-tab.js';
import { TABS, type Tab } from './search.js';
import { VersionsTab } from './versions-tab.js';

const route = getRouteApi('/platform');

/** The platform of resident agents: who they are, what they are told, and whether it holds. */
export function PlatformScreen(): ReactNode {
  const { tab = 'cards', of } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error } = useQuery(platformQuery);
  const go = (next: Tab) => void navigate({ search: { tab: next } });
  const at = TABS.findIndex(([name]) => name === tab);
  useKeys('Platform', [
    { keys: ']', label: 'The next part', run: () => go(TABS[(at + 1) % TABS.length]?.[0] ?? 'cards') },
    {
      keys: '[',
      label: 'The part before',
      run: () => go(TABS[(at + TABS.length - 1) % TABS.length]?.[0] ?? 'cards'),
    },
    ...TABS.map(([name, label]) => ({ keys: '', label: `Platform: ${label}`, run: () => go(name) })),
  ]);
  if (error instanceof RefusedRequest && error.error.status === 404) return <NoPlatform />;
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet screen">Reading the platform …</p>;
  return (
    <section className="screen platform">
      <header className="screen-head">
        <h1>Platform {plain(data.name)}</h1>
        <span className="quiet">
          {counted(data.cards, 'card')}, {data.pending} to review, {data.published} published, {data.admitted}{' '}
          admitted
        </span>
      </header>
      <nav className="tabs" aria-label="Parts of the platform">
        {TABS.map(([name, label]) => (
          <Link
            key={name}
            to="/platform"
            search={{ tab: name }}
            aria-current={name === tab ? 'page' : undefined}
            ref={name === tab ? bringIntoView : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {tab === 'cards' && <CardsTab of={of} />}
      {tab === 'review' && <ReviewTab />}
      {tab === 'library' && <VersionsTab />}
      {tab === 'published' && <PublishedTab of={of} />}
      {tab === 'experiments' && <ExperimentsTab platform={data} />}
      {tab === 'fleet' && <FleetTab />}
      {tab === 'health' && <HealthTab />}
      {tab === 'audit' && <AuditTab />}
      {tab === 'places' && <PlacesTab platform={data} />}
      {tab === 'proposals' && <ProposalsTab />}
      {tab === 'schedule' && <ScheduleTab platform={data} />}
    </section>
  );
}

const NoPlatform = (): ReactNode => (
  <section className="screen">
    <header className="screen-head">
      <h1>Platform</h1>
    </header>
    <Empty title="This project has no platform.">
      <p>A platform reviews the cards of resident agents, and signs and publishes their prompts.</p>
      <p>
        Make one with <code>cuebook platform init --rehearsal</code>, then start the server again.
      </p>
    </Empty>
  </section>
);

/** On a phone the tabs are scrolled to the one that is shown. */
const bringIntoView = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
