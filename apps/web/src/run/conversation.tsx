import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { HandoffView, MessageView, NoteView } from './item-views.js';
import { type Item, isOf, type Story } from './story.js';
import { TurnArticle } from './turn-view.js';
import type { SpokenLive } from './use-run.js';

/** How many items are shown at first, and how many more each time. */
const PAGE = 100;

/** What one agent, or all of them, said, heard and did, in order. Stays at the end while the reader is there. */
export function ConversationView(props: {
  readonly run: string;
  readonly story: Story;
  readonly agent: string | undefined;
  readonly live: ReadonlyMap<string, SpokenLive>;
  readonly isReady: boolean;
}): ReactNode {
  const { run, story, agent, live } = props;
  const [more, setMore] = useState(PAGE);
  const names = useMemo(() => new Map(story.agents.map(({ id, name }) => [id, name])), [story.agents]);
  const all = agent === undefined ? story.items : story.items.filter((item) => isOf(item, agent));
  const shown = all.slice(-more);
  const end = useStayAtEnd(story.seq);
  return (
    <div className="conversation">
      {shown.length < all.length && (
        <button type="button" onClick={() => setMore(more + PAGE)}>
          Show earlier ({all.length - shown.length})
        </button>
      )}
      {props.isReady && all.length === 0 && <p className="quiet">No messages yet.</p>}
      {shown.map((item) => (
        <ItemView key={item.id} run={run} item={item} names={names} live={live} isAll={agent === undefined} />
      ))}
      <div ref={end} />
    </div>
  );
}

function ItemView(props: {
  readonly run: string;
  readonly item: Item;
  readonly names: ReadonlyMap<string, string>;
  readonly live: ReadonlyMap<string, SpokenLive>;
  readonly isAll: boolean;
}): ReactNode {
  const { item, names } = props;
  switch (item.kind) {
    case 'turn':
      return (
        <TurnArticle
          run={props.run}
          turn={item}
          name={names.get(item.agent) ?? item.agent}
          live={item.reason === null ? props.live.get(item.id) : undefined}
        />
      );
    case 'message':
      return <MessageView item={item} to={props.isAll ? names.get(item.agent) : undefined} />;
    case 'handoff':
      return (
        <HandoffView
          item={item}
          from={names.get(item.agent) ?? item.agent}
          to={names.get(item.to) ?? item.to}
        />
      );
    case 'note':
      return <NoteView item={item} name={item.agent === null ? undefined : names.get(item.agent)} />;
  }
}

/** Keeps the end in sight when something new comes, for a reader who is at the end. */
function useStayAtEnd(seq: number) {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(false);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      isAtEnd.current = innerHeight + scrollY >= scrollHeight - 80 && scrollY > 0;
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    if (seq > 0 && isAtEnd.current) end.current?.scrollIntoView({ block: 'end' });
  }, [seq]);
  return end;
}
