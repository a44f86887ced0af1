import type { TurnView } from '@cuebook/api';
import { explain, stablePrefix } from '@cuebook/prompt';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { count } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Problem } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { turnQuery } from '../wire/queries.js';
import { PromptRows } from './prompt-rows.js';
import { rowsOf } from './rows.js';
import { type InspectSearch, LENSES } from './search.js';
import { VerifyButton } from './verify-button.js';
import { WhyPanel } from './why-panel.js';

const TurnDiff = lazy(() => import('./turn-diff.js'));
const route = getRouteApi('/runs/$run/turns/$turn');

/** What a turn was told, byte for byte, and where every word of it comes from. */
export function InspectScreen(): ReactNode {
  const { run, turn } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isRevealed, setRevealed] = useState(false);
  const { data, error } = useQuery(turnQuery(run, turn, isRevealed));
  const go = (change: Partial<Record<keyof InspectSearch, unknown>>) =>
    void navigate({ search: (before) => clean({ ...before, ...change }), replace: true });
  const lens = search.lens ?? 'origin';
  useKeys('Prompt', [
    {
      keys: 'x',
      label: 'Next lens: origin, trust, secrecy, volatility',
      run: () => go({ lens: LENSES[(LENSES.indexOf(lens) + 1) % LENSES.length] }),
    },
    { keys: 'f', label: 'The full prompt', run: () => go({ part: undefined }) },
    { keys: 'd', label: 'What differs from the turn before', run: () => go({ part: 'diff' }) },
  ]);
  if (error) return <Problem error={error} />;
  if (data === undefined) return <p className="quiet screen">Reading the record …</p>;
  const request = search.part === 'delta' && data.delta !== null ? data.delta : data.full;
  return (
    <section className="screen inspect">
      <header className="screen-head">
        <h1>Prompt</h1>
        <Link to="/runs/$run" params={{ run }} search={{}}>
          Back to the run
        </Link>
      </header>
      <p className="quiet">
        {plain([data.provider, data.model].filter(Boolean).join(' · '))} ·{' '}
        {count(new TextEncoder().encode(request.text).length)} bytes · {new Date(data.at).toLocaleString()}
        {data.end && ` · ${data.end.reason}`}
      </p>
      <div className="buttons">
        <fieldset className="switch" aria-label="Part">
          {PARTS.filter(({ part }) => part !== 'delta' || data.delta !== null).map(({ part, label }) => (
            <button
              key={label}
              type="button"
              aria-pressed={search.part === part}
              onClick={() => go({ part })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        {search.part !== 'diff' && (
          <fieldset className="switch" aria-label="Colour words by">
            {LENSES.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={lens === each}
                onClick={() => go({ lens: each })}
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
        <button type="button" onClick={() => void navigator.clipboard.writeText(request.text)}>
          Copy the words
        </button>
        {request.masked && (
          <button type="button" onClick={() => setRevealed(true)}>
            Show confidential words
          </button>
        )}
        <VerifyButton request={request} />
      </div>
      {search.part === 'diff' ? (
        <Suspense fallback={<p className="quiet">Comparing …</p>}>
          <TurnDiff run={run} turn={turn} after={data} />
        </Suspense>
      ) : request.masked ? (
        <Masked text={request.text} />
      ) : (
        <Words
          request={request}
          search={search}
          onPoint={(byte) => go({ byte })}
          key={request.hash + String(request.masked)}
        />
      )}
    </section>
  );
}

/** Places of words count in the true text: while some are masked, none can be told rightly. */
const Masked = ({ text }: { readonly text: string }): ReactNode => (
  <>
    <p className="quiet">Confidential words are masked. Show them to see where each word comes from.</p>
    <Verbatim label="The prompt" text={text} />
  </>
);

function Words(props: {
  readonly request: TurnView['full'];
  readonly search: InspectSearch;
  readonly onPoint: (byte: number) => void;
}): ReactNode {
  const { request, search } = props;
  const rows = useMemo(() => rowsOf(request), [request]);
  const prompt = request as unknown as Parameters<typeof explain>[0];
  const why = search.byte === undefined ? undefined : explain(prompt, search.byte);
  return (
    <>
      <PrefixBar request={request} />
      <div className="inspect-body">
        <PromptRows rows={rows} lens={search.lens ?? 'origin'} byte={search.byte} onPoint={props.onPoint} />
        <WhyPanel why={why} tools={request.tools} params={request.params} />
      </div>
    </>
  );
}

/** How much of the prompt stays the same from turn to turn, and what ends it. */
function PrefixBar({ request }: { readonly request: TurnView['full'] }): ReactNode {
  const prompt = request as unknown as Parameters<typeof stablePrefix>[0];
  const { stablePrefixBytes, brokenBy } = stablePrefix(prompt);
  const all = Math.max(1, new TextEncoder().encode(request.text).length);
  return (
    <p className="quiet">
      <meter min={0} max={all} value={stablePrefixBytes} aria-label="Stable prefix" /> The first{' '}
      {count(stablePrefixBytes)} bytes stay the same within a session
      {brokenBy === null
        ? '.'
        : `; ${plain(brokenBy.span.origin.ref)} in ${brokenBy.block} ends that${
            brokenBy.savesBytes > 0
              ? `, and moving it to the end would keep ${count(brokenBy.savesBytes)} more`
              : ''
          }.`}
    </p>
  );
}

const PARTS = [
  { part: undefined, label: 'Full' },
  { part: 'delta', label: 'Really sent' },
  { part: 'diff', label: 'Since the turn before' },
] as const;

const clean = (search: Readonly<Record<string, unknown>>): InspectSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as InspectSearch;
