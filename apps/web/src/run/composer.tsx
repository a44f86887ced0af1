import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useAct } from '../ui/act.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { reportQuery } from '../wire/queries.js';
import { server } from '../wire/server.js';
import type { RunSpeaker, Story } from './story.js';

/** Kinds of runs that take no words: a prompt that is told once, and an eval. */
const TOLD_ONCE: ReadonlySet<string> = new Set(['turn', 'eval']);

/** Words to an agent, and what else can be done with it. */
export function Composer(props: {
  readonly run: string;
  readonly story: Story;
  readonly agent: RunSpeaker | undefined;
}): ReactNode {
  const { run, story } = props;
  const { data: report } = useQuery(reportQuery(run));
  const { act, isPending, error } = useAct(run);
  const [text, setText] = useState('');
  const id = useId();
  const agent = props.agent ?? (story.agents.length === 1 ? story.agents[0] : undefined);
  const isTeam = report?.kind === 'team';
  const isOver = report === undefined || report.status === 'failed' || report.status === 'stopped';
  if (isOver || TOLD_ONCE.has(report.kind) || (isTeam && (agent === undefined || report.status === 'done')))
    return null;
  const node = agent?.id ?? '';
  const isBusy = (agent === undefined ? story.agents : [agent]).some(
    ({ status }) => status === 'running' || status === 'waiting',
  );
  const say = (interrupt: boolean) => {
    if (text.trim() === '') return;
    act(async () => {
      const said = isTeam
        ? await server.messageNode({ run, node, text, interrupt })
        : await server.say({ run, text });
      if (said.ok) setText('');
      return said;
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    say(false);
  };
  return (
    <form className="composer" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>Message to {plain(agent?.name ?? 'the run')}</label>
        <textarea
          id={id}
          rows={2}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say(false);
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      </div>
      <div className="buttons">
        <button type="submit" className="main-button" disabled={isPending}>
          Send
        </button>
        {isTeam && (
          <button type="button" disabled={isPending} onClick={() => say(true)}>
            Send now, interrupting
          </button>
        )}
        <button
          type="button"
          disabled={isPending || !isBusy}
          onClick={() => act(() => server.interrupt({ run, ...(isTeam && { lane: node }) }))}
        >
          Interrupt
        </button>
        {isTeam && (
          <button
            type="button"
            disabled={isPending}
            onClick={() => act(() => server.resetNode({ run, node }))}
          >
            Reset
          </button>
        )}
      </div>
      <ProblemView error={error} />
    </form>
  );
}
