import { describePlace, type Explanation } from '@cuebook/prompt';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { count, counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { blameQuery } from '../wire/queries.js';

/** The turn whose words are asked about. */
interface Of {
  readonly run: string;
  readonly turn: string;
}

/** Where the words that are pointed at come from; with the turn that told them, also who wrote them. */
export function WhyPanel(
  props: Partial<Of> & { readonly why: Explanation | undefined; readonly isChosen?: boolean },
): ReactNode {
  const { why, isChosen = false, run, turn } = props;
  const isTold = why !== undefined && run !== undefined && turn !== undefined;
  return (
    <aside className="why card" aria-label="Where these words come from">
      {why === undefined ? (
        <p className="quiet">Select any words to see their file, line and include chain here.</p>
      ) : (
        <Why why={why} />
      )}
      {isTold && isChosen && <Chosen run={run} turn={turn} why={why} />}
    </aside>
  );
}

function Why({ why }: { readonly why: Explanation }): ReactNode {
  const { origin, span, block, role, at } = why;
  return (
    <>
      <p className="strong" data-testid="place">
        <code>{plain(describePlace(origin))}</code>
      </p>
      {origin.subject !== undefined && <p className="quiet">{plain(origin.subject)}</p>}
      {(origin.via ?? []).toReversed().map((place) => (
        <p key={describePlace(place)} className="quiet">
          ← <code>{plain(describePlace(place))}</code>
        </p>
      ))}
      <dl className="labels">
        <dt>what</dt>
        <dd>{KINDS[origin.kind]}</dd>
        <dt>trust</dt>
        <dd>{span.trust}</dd>
        <dt>secrecy</dt>
        <dd>{span.secrecy}</dd>
        <dt>changes</dt>
        <dd>every {span.volatility}</dd>
        <dt>block</dt>
        <dd>
          {plain(block)}
          {role !== block && `, ${role}`}
        </dd>
        <dt>byte</dt>
        <dd>
          {count(at)}, in a span of {counted(span.end - span.start, 'byte')}
        </dd>
      </dl>
    </>
  );
}

/** What needs a question to the server: only for words that were chosen. */
function Chosen({ run, turn, why }: Of & { readonly why: Explanation }): ReactNode {
  const { kind, ref, line } = why.origin;
  const isFile = (kind === 'file' || kind === 'value') && line !== undefined && !ref.startsWith('cuebook:');
  const words = why.span.secrecy === 'public' ? lineAround(why.text, why.offset) : '';
  const { data } = useQuery({
    ...blameQuery({ run, turn, ref, line: line ?? 1, words }),
    enabled: isFile && words !== '',
  });
  return (
    <>
      {data && (
        <dl className="labels" data-testid="commit">
          <dt>commit</dt>
          <dd>
            {'note' in data ? (
              plain(data.note)
            ) : (
              <>
                <code>{data.commit.slice(0, 10)}</code> {plain(data.summary)}
                <br />
                <span className="quiet">
                  {plain(data.author)}, {new Date(data.date).toLocaleDateString()}
                  {data.now !== 'same' && ` · the line is ${data.now === 'gone' ? 'gone' : 'another'} now`}
                </span>
              </>
            )}
          </dd>
        </dl>
      )}
      <div className="buttons">
        <button type="button" onClick={() => void navigator.clipboard.writeText(location.href)}>
          Copy a link to this byte
        </button>
      </div>
    </>
  );
}

/** The line of a text that holds a byte, as far as it is known again by its beginning. */
function lineAround(text: string, offset: number): string {
  const bytes = new TextEncoder().encode(text).subarray(0, offset);
  const start = new TextDecoder().decode(bytes).lastIndexOf('\n') + 1;
  return (text.slice(start).split('\n', 1)[0] ?? '').trim().slice(0, 200);
}

const KINDS: Readonly<Record<Explanation['origin']['kind'], string>> = {
  file: 'text of a file',
  value: 'a value of a file',
  variable: 'a variable',
  input: 'an input of this turn',
  result: 'output of a tool or an agent',
  shipped: 'text that is shipped with Cuebook',
  structure: 'structure of the prompt',
  redaction: 'replaces something that was removed',
};
