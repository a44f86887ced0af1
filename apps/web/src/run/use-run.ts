import type { LiveView, RunEventView } from '@cuebook/api';
import { useEffect, useMemo, useRef, useState } from 'react';
import { noteConnection } from '../wire/connection.js';
import { lookAgain } from '../wire/queries.js';
import { RefusedRequest, server } from '../wire/server.js';
import type { Story } from './story.js';
import { newDraft, storyOf } from './story-draft.js';
import { takeEvent, tellStory } from './tell-story.js';

/** A run as it happens. */
export interface FollowedRun {
  readonly story: Story;
  /** Every event so far, for playing it back. */
  readonly events: readonly RunEventView[];
  /** The words of turns that are not over, by the id of the turn. */
  readonly live: ReadonlyMap<string, SpokenLive>;
  /** What is shown is how the run stands now. */
  readonly isReady: boolean;
  /** Only the beginning and the end of a long record have been read so far. */
  readonly isPartial: boolean;
  readonly error: RefusedRequest | undefined;
}

export interface SpokenLive {
  readonly text: string;
  readonly reasoning: string;
}

/** Live words that are kept of one turn, in characters: the whole text is in the record when the turn is over. */
const MOST_LIVE = 20_000;

/** How long further events are waited for before lists are looked at again, in milliseconds. */
const LOOK_MS = 200;

/** Follows a run through lost connections. The page is painted at most once in a frame, however much happens. */
export function useRun(run: string): FollowedRun {
  const [followed, setFollowed] = useState<FollowedRun>(NOTHING);
  const last = useRef(run);
  useEffect(() => {
    if (last.current !== run) setFollowed(NOTHING);
    last.current = run;
    const stop = new AbortController();
    const draft = newDraft();
    const events: RunEventView[] = [];
    const live = new Map<string, SpokenLive>();
    let isReady = false;
    let error: RefusedRequest | undefined;
    let frame = 0;
    const paint = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setFollowed({
          ...{ story: storyOf(draft), events: [...events], live: new Map(live), isReady, error },
          isPartial: false,
        });
      });
    };
    let looking: ReturnType<typeof setTimeout> | undefined;
    const lookSoon = () => {
      looking ??= setTimeout(() => {
        looking = undefined;
        void lookAgain(run);
      }, LOOK_MS);
    };
    const take = (event: RunEventView) => {
      events.push(event);
      takeEvent(draft, event);
    };
    /** Reads the beginning of the record. Of a long one the end too, so that it shows how it stands. */
    const begin = async () => {
      const first = await server.listEvents({ run, limit: ENDS });
      if (!first.ok) return;
      for (const event of first.value.events) take(event);
      const { last, more } = first.value;
      if (!more) {
        isReady = true;
        paint();
      }
      if (last < LONG) return;
      const end = await server.listEvents({ run, after: last - ENDS, limit: ENDS });
      if (!end.ok || stop.signal.aborted) return;
      const story = tellStory([...first.value.events, ...end.value.events]);
      setFollowed({ ...NOTHING, story, isReady: true, isPartial: true });
    };
    const work = async () => {
      await begin();
      for await (const heard of server.follow({ run, after: draft.seq, signal: stop.signal })) {
        if (heard.type === 'lost') noteConnection('lost');
        else if (heard.type !== 'failed') noteConnection('live');
        if (heard.type === 'event') {
          take(heard.event);
          if (heard.event.type === 'effect.settled')
            live.delete(String((heard.event.data as { id?: unknown }).id));
          if (isReady) lookSoon();
        }
        if (heard.type === 'live') addWords(live, heard.live);
        // Lost and found again, with nothing in between: what is shown stands.
        const isStill = heard.type === 'lost' || (heard.type === 'ready' && isReady);
        if (heard.type === 'ready') isReady = true;
        if (heard.type === 'failed') error = new RefusedRequest(heard.error);
        if ((isReady || error) && !isStill) paint();
      }
    };
    void work();
    return () => {
      stop.abort();
      clearTimeout(looking);
      cancelAnimationFrame(frame);
    };
  }, [run]);
  return followed;
}

/** Events at each end of a long run that are read first. */
const ENDS = 400;
/** Shorter runs are read whole at once. */
const LONG = 4_000;

/** The run as it was up to an event; left out: as it is. */
export function useStoryAt({ story, events }: FollowedRun, at: number | undefined): Story {
  const isNow = at === undefined || at >= story.seq;
  return useMemo(() => (isNow ? story : tellStory(events.slice(0, at))), [isNow, story, events, at]);
}

function addWords(live: Map<string, SpokenLive>, { turn, event }: LiveView): void {
  const before = live.get(turn) ?? { text: '', reasoning: '' };
  if (event.type === 'text.delta') live.set(turn, { ...before, text: clip(before.text + event.text) });
  if (event.type === 'reasoning.delta')
    live.set(turn, { ...before, reasoning: clip(before.reasoning + event.text) });
}

const clip = (text: string): string => (text.length > MOST_LIVE ? text.slice(-MOST_LIVE) : text);

const NOTHING: FollowedRun = {
  ...{
    story: tellStory([]),
    events: [],
    live: new Map(),
    isReady: false,
    isPartial: false,
    error: undefined,
  },
};
