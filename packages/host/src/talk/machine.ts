import {
  CONVERSATION_EVENTS,
  type ConversationCommand,
  type ConversationConfig,
  createAgentMachine,
  type EngineCommand,
  listApprovals,
  type Machine,
} from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import { NEW_TALK, projectTalk, type TalkEvent, type TalkFacts, type TalkState } from './state.js';
import { talkStanding } from './view.js';

/** The commands of a conversation, and how its run begins. */
export type TalkCommand<About extends JsonValue> =
  | Exclude<ConversationCommand, { readonly type: 'agent.start' }>
  | (Omit<Extract<ConversationCommand, { readonly type: 'agent.start' }>, 'type' | 'ask'> & {
      readonly type: 'talk.start';
      readonly facts: TalkFacts<About>;
    });

export type TalkMachine<About extends JsonValue> = Machine<
  TalkState<About>,
  TalkCommand<About>,
  TalkEvent<About>
>;

/** The kind of the work of one run: work of one kind belongs to one process. */
export const talkWork = (name: string, run: string): string => `${name}/${run}`;

/** As far as replaying needs it: the configuration decides, and the log has decided. */
export const replayTalkMachine = <About extends JsonValue>(name: string, run?: string): TalkMachine<About> =>
  createTalkMachine<About>(
    { name, ...(run === undefined ? {} : { run }) },
    { rules: { tools: [] }, priced: false, onTurnCrash: 'ask-person' },
  );

/** One conversation as the machine of a kind of run. */
export function createTalkMachine<About extends JsonValue>(
  { name, run }: { readonly name: string; readonly run?: string },
  config: Omit<ConversationConfig, 'lane'>,
): TalkMachine<About> {
  const { decide } = createAgentMachine({ ...config, lane: name });
  const begins = `${name}.started` as const;
  return {
    kind: run === undefined ? name : talkWork(name, run),
    initial: NEW_TALK,
    events: { ...CONVERSATION_EVENTS, [begins]: true },
    decide(state, command, context) {
      if (command.type !== 'talk.start')
        return decide(state.agent, command as ConversationCommand | EngineCommand, context);
      const { facts, type: _, ...start } = command;
      const begun = decide(state.agent, { ...start, type: 'agent.start', ask: true }, context);
      return begun.ok ? { ...begun, events: [{ type: begins, data: facts }, ...begun.events] } : begun;
    },
    project: (state, event) => projectTalk(begins, state, event),
    list: (of, event) => listApprovals({ run: of, lane: name }, event as never),
    stand: (state) => talkStanding(name, state),
  };
}
