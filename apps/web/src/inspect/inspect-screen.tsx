import type { TurnView } from '@cuebook/api';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback } from 'react';
import { useKeys } from '../shell/keys.js';
import { count } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Switch } from '../ui/switch.js';
import { withoutUnset } from '../wire/search.js';
import { ReceiptCard } from './receipt.js';
import { type InspectSearch, LENSES, type Lens } from './search.js';
import { hasMore, useTurn } from './use-turn.js';
import { WirePartView } from './wire-part.js';
import { WordsView } from './words-view.js';

const TurnDiff = lazy(() => import('./turn-diff.js'));
const route = getRouteApi('/runs/$run/turns/$turn');

/** What a turn was told, byte for byte, and where every word of it comes from. */
export function InspectScreen(): ReactNode {
  const { run, turn } = route.useParams();
  // Nothing of one turn is shown as that of another.
  return <Inspector key={`${run} ${turn}`} run={run} turn={turn} />;
}

function Inspector({ run, turn }: { readonly run: string; readonly turn: string }): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const needsWhole = search.byte !== undefined || search.part === 'wire' || search.part === 'diff';
  const { turn: data, error } = useTurn({ run, turn, reveal: search.reveal === true, needsWhole });
  const go = useCallback(
    (change: Partial<Record<keyof InspectSearch, unknown>>) =>
      void navigate({
        search: (before) => withoutUnset<InspectSearch>({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  );
  const point = useCallback((byte: number) => go({ byte }), [go]);
  const lenses: readonly Lens[] =
    search.part === 'wire' ? LENSES.filter((each) => each !== 'changed') : LENSES;
  const lens = lenses.find((each) => each === search.lens) ?? 'origin';
  useKeys('Prompt', [
    {
      keys: 'x',
      label: 'Next lens: origin, trust, secrecy, volatility, changed',
      run: () => go({ lens: lenses[(lenses.indexOf(lens) + 1) % lenses.length] }),
    },
    { keys: 'f', label: 'The full prompt', run: () => go({ part: undefined }) },
    { keys: 'w', label: 'The whole request, with tools', run: () => go({ part: 'wire', byte: undefined }) },
    { keys: 'd', label: 'What differs from another turn', run: () => go({ part: 'diff' }) },
  ]);
  // What is on record stays on the screen, also when it cannot be read again.
  if (data === undefined)
    return error ? <ProblemView error={error} /> : <p className="quiet screen">Reading the record …</p>;
  const isWhole = !hasMore(data);
  const request = search.part === 'delta' && data.delta !== null ? data.delta : data.full;
  const parts = data.delta === null ? PART_LABELS.filter(({ needsDelta }) => !needsDelta) : PART_LABELS;
  return (
    <section className="screen inspect">
      <header className="screen-head">
        <h1>Prompt</h1>
        <Link to="/runs/$run" params={{ run }} search={{ agent: data.lane.replace(/^node\//, '') }}>
          Back to the run
        </Link>
      </header>
      <TurnLine turn={data} />
      <div className="buttons">
        <Switch
          label="Part"
          value={search.part}
          options={parts}
          onChange={(part) => go({ part, byte: undefined })}
        />
        {search.part !== 'diff' && (
          <Switch
            label="Colour words by"
            value={lens}
            options={lenses.map((value) => ({ value, label: value }))}
            onChange={(value) => go({ lens: value })}
          />
        )}
        <button
          type="button"
          disabled={!isWhole}
          onClick={() => void navigator.clipboard.writeText(request.text)}
        >
          Copy
        </button>
        <button type="button" disabled={!isWhole} onClick={() => save(`${turn}.txt`, request.text)}>
          Save the bytes
        </button>
        {data.full.masked && (
          <button type="button" onClick={() => go({ reveal: true, byte: undefined })}>
            Show confidential words
          </button>
        )}
      </div>
      {data.forgotten.length > 0 && (
        <p className="wait-note">Deleted on request: {plain(data.forgotten.join(', '))}.</p>
      )}
      {search.part === 'diff' && isWhole && (
        <Suspense fallback={<p className="quiet">Comparing …</p>}>
          <TurnDiff run={run} turn={data} against={search.against} onAgainst={(against) => go({ against })} />
        </Suspense>
      )}
      {search.part === 'wire' && (
        <WirePartView run={run} turn={data} search={{ ...search, lens }} onPoint={point} />
      )}
      {search.part !== 'diff' && search.part !== 'wire' && (
        <WordsView
          run={run}
          turn={data}
          search={search}
          onPoint={point}
          key={request.hash + String(request.masked)}
        />
      )}
      <ReceiptCard run={run} turn={data} request={request} key={request.hash} />
    </section>
  );
}

/** Who was told, when, how it ended, and what the provider counted. */
function TurnLine({ turn }: { readonly turn: TurnView }): ReactNode {
  const { usage } = turn;
  const words = [
    turn.provider,
    turn.model,
    new Date(turn.at).toLocaleString(),
    turn.end?.reason ?? 'not over',
    ...(typeof usage?.inputTokens === 'number'
      ? [`the provider counted ${count(usage.inputTokens)} tokens in`]
      : []),
    ...(typeof usage?.cachedInputTokens === 'number' && usage.cachedInputTokens > 0
      ? [`${count(usage.cachedInputTokens)} of them from its cache`]
      : []),
  ];
  return <p className="quiet">{plain(words.filter(Boolean).join(' · '))}</p>;
}

/** Hands the text to the browser as a file, byte for byte. */
function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const PART_LABELS = [
  { value: undefined, label: 'Full', needsDelta: false },
  { value: 'delta', label: 'Really sent', needsDelta: true },
  { value: 'both', label: 'Side by side', needsDelta: true },
  { value: 'wire', label: 'Whole request', needsDelta: false },
  { value: 'diff', label: 'Compare', needsDelta: false },
] as const;
