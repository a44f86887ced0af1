import type { TurnView } from '@cuebook/api';
import type { stablePrefix } from '@cuebook/prompt';
import { memo, type ReactNode } from 'react';
import { count, counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { sizeOf } from './rows.js';

/** The blocks of a prompt as parts of one bar: what takes how much, where the stable prefix ends, what was taken out. */
export const PromptFacts = memo(function PromptFacts(props: {
  readonly request: TurnView['full'];
  readonly tokens: readonly number[] | undefined;
  readonly tokenUsd: number | undefined;
  /** Left out as long as the end of the prompt is not known. */
  readonly prefix: ReturnType<typeof stablePrefix> | undefined;
  readonly onGo: (byte: number) => void;
}): ReactNode {
  const { request, tokens, tokenUsd, prefix } = props;
  const sizes = request.blocks.map(({ text, rest = 0 }) => sizeOf(text) + rest);
  const all = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  const total = tokens?.reduce((sum, each) => sum + each, 0);
  const perByte = total === undefined ? undefined : total / all;
  return (
    <div className="prompt-facts">
      <div className="block-bar" aria-hidden="true">
        {request.blocks.map(({ name, hash }, index) => (
          <span
            key={`${name} ${hash}`}
            className={`hue-${(index % 8) + 1}`}
            style={{ flexGrow: sizes[index] ?? 0 }}
            title={plain(name)}
          />
        ))}
        {prefix && <i style={{ left: `${(prefix.stablePrefixBytes / all) * 100}%` }} />}
      </div>
      <p className="quiet">
        {counted(request.blocks.length, 'block')}, {count(all)} bytes
        {total !== undefined && `, about ${counted(total, 'token')}`}
        {total !== undefined && tokenUsd !== undefined && ` (${money(total * tokenUsd)})`}.{' '}
        {prefix && <Prefix {...{ prefix, perByte, tokenUsd }} onGo={props.onGo} />}
      </p>
      <Redactions request={request} onGo={props.onGo} />
    </div>
  );
});

function Prefix(props: {
  readonly prefix: ReturnType<typeof stablePrefix>;
  readonly perByte: number | undefined;
  readonly tokenUsd: number | undefined;
  readonly onGo: (byte: number) => void;
}): ReactNode {
  const { stablePrefixBytes, brokenBy } = props.prefix;
  return (
    <>
      The first {count(stablePrefixBytes)} bytes stay the same within a session
      {brokenBy === null ? '.' : '; '}
      {brokenBy !== null && (
        <>
          <button type="button" className="link-button" onClick={() => props.onGo(stablePrefixBytes)}>
            {plain(brokenBy.span.origin.ref)} in {plain(brokenBy.block)}
          </button>{' '}
          ends that{savingWords(brokenBy.savesBytes, props.perByte, props.tokenUsd)}.
        </>
      )}
    </>
  );
}

/** What moving the span to the end of the prompt would save on each later turn. */
export function savingWords(bytes: number, perByte: number | undefined, usd: number | undefined): string {
  if (bytes === 0) return '';
  const tokens = perByte === undefined ? undefined : Math.round(bytes * perByte);
  const cost = tokens === undefined || usd === undefined ? '' : `, ${money(tokens * usd)} a turn`;
  return `; moving it to the end would keep ${count(bytes)} more bytes${tokens === undefined ? '' : ` (about ${counted(tokens, 'token')}${cost})`}`;
}

/** What was removed, aliased or broken, by kind; a chip leads to the first of its kind. */
function Redactions(props: {
  readonly request: TurnView['full'];
  readonly onGo: (byte: number) => void;
}): ReactNode {
  const found = new Map<string, { readonly byte: number; readonly times: number }>();
  let start = 0;
  for (const { text, spans } of props.request.blocks) {
    if (start > 0 && text !== '') start += 2;
    for (const { origin, start: at } of spans)
      if (origin.kind === 'redaction')
        found.set(origin.ref, {
          byte: found.get(origin.ref)?.byte ?? start + at,
          times: (found.get(origin.ref)?.times ?? 0) + 1,
        });
    start += sizeOf(text);
  }
  const { removed } = props.request;
  if (found.size + removed.length === 0) return null;
  return (
    <p className="chips">
      <span className="quiet">Removed before sending:</span>
      {[...found].map(([kind, { byte, times }]) => (
        <button type="button" className="chip" key={kind} onClick={() => props.onGo(byte)}>
          {REDACTIONS[kind] ?? plain(kind)} × {times}
        </button>
      ))}
      {removed.map((kind) => (
        <span className="chip" key={kind}>
          {REDACTIONS[kind] ?? plain(kind)}, beside the text
        </span>
      ))}
    </p>
  );
}

const REDACTIONS: Readonly<Record<string, string>> = {
  root: 'folder, by its alias',
  path: 'path',
  name: 'name',
  credential: 'credential',
  invisible: 'invisible character, shown',
  token: 'chat-template token, broken',
};
