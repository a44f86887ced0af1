import type { ReactNode } from 'react';
import { Markdown } from '../ui/markdown.js';
import { plain } from '../ui/plain.js';
import { Foreign } from '../ui/text.js';
import { Ago } from '../ui/time.js';
import type { HandoffItem, MessageItem, NoteItem } from './story.js';

/** What a person said. */
export const MessageView = ({
  item,
  to,
}: {
  readonly item: MessageItem;
  readonly to: string | undefined;
}): ReactNode => (
  <article className="item message">
    <p className="item-head">
      <span className="strong">{plain(item.by === 'person' ? 'you' : item.by)}</span>
      {to !== undefined && <span className="quiet"> → {plain(to)}</span>}
      <span className="quiet">
        <Ago at={item.at} />
      </span>
    </p>
    <Foreign text={item.text} className="pre-line" />
  </article>
);

/** What one agent sent to another. */
export const HandoffView = (props: {
  readonly item: HandoffItem;
  readonly from: string;
  readonly to: string;
}): ReactNode => (
  <article className="item handoff">
    <p className="item-head">
      <span className="strong">
        {plain(props.from)} → {plain(props.to)}
      </span>
      <span className="quiet">
        handoff · <Ago at={props.item.at} />
      </span>
    </p>
    <Markdown text={props.item.text} />
  </article>
);

/** Something that happened to a run or an agent. */
export const NoteView = ({
  item,
  name,
}: {
  readonly item: NoteItem;
  readonly name: string | undefined;
}): ReactNode => (
  <p className={`item note ${item.tone}`}>
    {name !== undefined && <span className="strong">{plain(name)} </span>}
    <Foreign text={item.text} />
  </p>
);
