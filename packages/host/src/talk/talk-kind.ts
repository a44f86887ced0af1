import type { JsonValue } from '@cuebook/prompt';
import type { RunKind } from '../kind.js';
import { perRunKind } from '../per-run.js';
import type { PerRunKind } from '../per-run-kind.js';
import type { TalkKind } from './contract.js';
import { replayTalkMachine } from './machine.js';
import { openTalk } from './open.js';
import type { TalkFacts, TalkState } from './state.js';
import { talkPause, talkView } from './view.js';

/** A conversation as a kind of run. */
export const talkKind = <About extends JsonValue>(kind: TalkKind<About>): RunKind =>
  perRunKind(talkRecord(kind));

/** The same as a record. */
export const talkRecord = <About extends JsonValue>(kind: TalkKind<About>): PerRunKind<TalkState<About>> => ({
  name: kind.name,
  prefixes: kind.prefixes,
  begins: `${kind.name}.started`,
  machine: replayTalkMachine<About>(kind.name),
  view: (state) => talkView(state, kind),
  pause: talkPause,
  ...(kind.lacks && { lacks: kind.lacks }),
  afterFailure: kind.lacks?.words === undefined ? ['resume', 'TEXT'] : ['resume'],
  callOf({ data }) {
    const { target, provider, model, scripted } = data as unknown as TalkFacts<About>;
    if (scripted === true) return undefined;
    return { target, provider, ...(model === undefined ? {} : { model }) };
  },
  open: (opening) => openTalk(kind, opening),
});
