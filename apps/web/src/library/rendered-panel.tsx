import type { RenderedView } from '@cuebook/api';
import { explain } from '@cuebook/prompt';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { PromptRows } from '../inspect/prompt-rows.js';
import { rowsOf, sourcesOf } from '../inspect/rows.js';
import { LENSES } from '../inspect/search.js';
import { WhyPanel } from '../inspect/why-panel.js';
import { count } from '../ui/numbers.js';
import { ProblemView } from '../ui/problem.js';
import { DiagnosticList } from './diagnostic-list.js';
import type { LibrarySearch } from './search.js';

const PromptChange = lazy(() => import('./prompt-change.js'));

type Request = NonNullable<RenderedView['now']>;

/** What comes of a prompt: its words with their origins, what is wrong, and what saving would change. */
export function RenderedPanel(props: {
  readonly rendered: RenderedView | undefined;
  readonly error: unknown;
  readonly edits: readonly { readonly path: string; readonly text: string }[];
  readonly search: LibrarySearch;
  readonly onGo: (change: LibrarySearch) => void;
  readonly onReveal: () => void;
}): ReactNode {
  const { rendered, edits, search, onGo } = props;
  if (props.error) return <ProblemView error={props.error} />;
  if (rendered === undefined) return <p className="quiet">Composing …</p>;
  const { now, saved, diagnostics } = rendered;
  const isChanges = search.part === 'changes' && edits.length > 0;
  return (
    <div className="target-rendered">
      <div className="buttons">
        <fieldset className="switch" aria-label="What is shown">
          <button type="button" aria-pressed={!isChanges} onClick={() => onGo({ part: 'request' })}>
            The request
          </button>
          <button
            type="button"
            aria-pressed={isChanges}
            disabled={edits.length === 0}
            onClick={() => onGo({ part: 'changes' })}
          >
            What saving would change
          </button>
        </fieldset>
        {!isChanges && (
          <fieldset className="switch" aria-label="Colour words by">
            {LENSES.map((lens) => (
              <button
                key={lens}
                type="button"
                aria-pressed={(search.lens ?? 'origin') === lens}
                onClick={() => onGo({ lens })}
              >
                {lens}
              </button>
            ))}
          </fieldset>
        )}
        {now?.masked === true && (
          <button type="button" onClick={props.onReveal}>
            Show confidential words
          </button>
        )}
      </div>
      <DiagnosticList diagnostics={diagnostics} />
      {now === null && <p className="bad">It cannot be composed as it is: nothing would be sent.</p>}
      {isChanges ? (
        <Suspense fallback={<p className="quiet">Comparing …</p>}>
          <PromptChange before={saved} after={now} edits={edits} />
        </Suspense>
      ) : (
        now !== null && <Words request={now} search={search} onGo={onGo} />
      )}
    </div>
  );
}

function Words(props: {
  readonly request: Request;
  readonly search: LibrarySearch;
  readonly onGo: (change: LibrarySearch) => void;
}): ReactNode {
  const { request, search } = props;
  const rows = useMemo(() => rowsOf(request), [request]);
  const sources = useMemo(() => sourcesOf(request), [request]);
  const size = useMemo(() => new TextEncoder().encode(request.text).length, [request]);
  // The kernel's own shape; the wire has it as JSON.
  const prompt = request as unknown as Parameters<typeof explain>[0];
  const why = search.byte === undefined || search.byte >= size ? undefined : explain(prompt, search.byte);
  return (
    <>
      <p className="quiet">
        {count(size)} bytes · <code title={request.hash}>{request.hash.slice(0, 19)}…</code>
      </p>
      <WhyPanel why={why} />
      <PromptRows
        {...{ rows, sources }}
        lens={search.lens ?? 'origin'}
        byte={search.byte}
        onPoint={(byte) => props.onGo({ byte })}
      />
    </>
  );
}
