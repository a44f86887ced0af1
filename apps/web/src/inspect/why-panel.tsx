import type { JsonValue } from '@cuebook/api';
import { describePlace, type Explanation } from '@cuebook/prompt';
import type { ReactNode } from 'react';
import { count } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Verbatim } from '../ui/text.js';

/** Where the words that are pointed at come from, and what was sent beside the words. */
export function WhyPanel(props: {
  readonly why: Explanation | undefined;
  readonly tools: readonly object[];
  readonly params: Readonly<Record<string, JsonValue>>;
}): ReactNode {
  const { why, tools, params } = props;
  return (
    <aside className="why card" aria-label="Where these words come from">
      {why === undefined ? (
        <p className="quiet">Choose any words: their file, line and include chain are told here.</p>
      ) : (
        <Why why={why} />
      )}
      {tools.length > 0 && (
        <details>
          <summary>{tools.length} tools were offered</summary>
          <Verbatim label="Tools" text={JSON.stringify(tools, null, 2)} />
        </details>
      )}
      {Object.keys(params).length > 0 && (
        <details>
          <summary>Parameters</summary>
          <Verbatim label="Parameters" text={JSON.stringify(params, null, 2)} />
        </details>
      )}
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
          {plain(block)}, {role}
        </dd>
        <dt>byte</dt>
        <dd>{count(at)}</dd>
      </dl>
      <div className="buttons">
        <button type="button" onClick={() => void navigator.clipboard.writeText(location.href)}>
          Copy a link to this byte
        </button>
      </div>
    </>
  );
}

const KINDS: Readonly<Record<Explanation['origin']['kind'], string>> = {
  file: 'text of a file',
  value: 'a value of a file',
  variable: 'a variable',
  input: 'what was handed in for this turn',
  result: 'what a tool or an agent answered',
  shipped: 'text that comes with Cuebook',
  structure: 'structure of the prompt',
  redaction: 'stands where something was removed',
};
