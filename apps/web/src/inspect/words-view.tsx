import { isCut, type TurnView } from '@cuebook/api';
import { type Explanation, explain, stablePrefix } from '@cuebook/prompt';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { count } from '../ui/numbers.js';
import { tokensQuery } from '../wire/queries.js';
import { Legend } from './legend.js';
import { PromptFacts, savingWords } from './prompt-facts.js';
import { type PrefixEnd, PromptRows } from './prompt-rows.js';
import { linesOf, rowsOf, sourcesOf } from './rows.js';
import type { InspectSearch } from './search.js';
import { useTurnBefore } from './turn-before.js';
import { WhyPanel } from './why-panel.js';

type Prompt = Parameters<typeof explain>[0];

/** The words of a prompt, or of two parts of it side by side, and why they are there. */
export function WordsView(props: {
  readonly run: string;
  readonly turn: TurnView;
  readonly search: InspectSearch;
  readonly onPoint: (byte: number) => void;
}): ReactNode {
  const { run, turn, search, onPoint } = props;
  const lens = search.lens ?? 'origin';
  const request = search.part === 'delta' && turn.delta !== null ? turn.delta : turn.full;
  const beside = search.part === 'both' ? turn.delta : null;
  const rows = useMemo(() => rowsOf(request), [request]);
  const besideRows = useMemo(() => (beside === null ? [] : rowsOf(beside)), [beside]);
  const sources = useMemo(() => sourcesOf(request, beside), [request, beside]);
  // Told at once, also while the rest of a long prompt is laid out: all that is costly here is kept from render to render.
  const [hovered, setHovered] = useState<number>();
  const before = useTurnBefore({ run, turn, against: search.against, isWanted: lens === 'changed' });
  const known = useMemo(() => (before.data ? linesOf(before.data.full) : undefined), [before.data]);
  // Counting a long prompt keeps the server busy: its words come first.
  const { data: counted } = useQuery({ ...tokensQuery(run, turn.turn), enabled: !isCut(request) });
  const tokens = request === turn.full ? counted?.full : (counted?.delta ?? undefined);
  const tokenUsd = counted?.price == null ? undefined : counted.price.input / 1_000_000;
  const prefix = useMemo(
    () => (isCut(request) ? undefined : stablePrefix(request as unknown as Prompt)),
    [request],
  );
  const prefixEnd = useMemo((): PrefixEnd | undefined => {
    if (prefix == null || prefix.brokenBy === null) return undefined;
    const { span, savesBytes } = prefix.brokenBy;
    const saved = savingWords(savesBytes, undefined, undefined);
    return {
      byte: prefix.stablePrefixBytes,
      words: `The stable prefix ends here, after ${count(prefix.stablePrefixBytes)} bytes: ${span.origin.ref} changes every ${span.volatility}${saved}.`,
    };
  }, [prefix]);
  const chosen = useMemo(() => whyOf(request, search.byte), [request, search.byte]);
  const over = useMemo(() => whyOf(request, hovered), [request, hovered]);
  // While the pointer rests on the words that were chosen, they stay chosen.
  const isChosen = over === undefined || over.span === chosen?.span;
  return (
    <>
      <PromptFacts request={request} tokens={tokens} tokenUsd={tokenUsd} prefix={prefix} onGo={onPoint} />
      <Legend lens={lens} sources={sources} isFirst={lens === 'changed' && before.data === null} />
      <div className={beside === null ? 'inspect-body' : 'inspect-body both'}>
        <div>
          {beside !== null && <h2 className="part-head">Full</h2>}
          <PromptRows
            {...{ rows, sources, lens, known, prefixEnd, tokens, tokenUsd }}
            byte={search.byte}
            onPoint={onPoint}
            onHover={setHovered}
          />
        </div>
        {beside !== null && (
          <div>
            <h2 className="part-head">Really sent</h2>
            <PromptRows {...{ sources, lens, known }} rows={besideRows} byte={undefined} onPoint={NOTHING} />
          </div>
        )}
        <WhyPanel run={run} turn={turn.turn} why={isChosen ? chosen : over} isChosen={isChosen} />
      </div>
    </>
  );
}

const whyOf = (request: TurnView['full'], byte: number | undefined): Explanation | undefined =>
  byte === undefined ? undefined : explain(request as unknown as Prompt, byte);

/** Bytes of an address count in the full prompt. */
const NOTHING = (): void => undefined;
