import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { JsonValue, LiveView, RunEventView } from '@cuebook/api';
import { type EffectOutcome, resultOf, type ToldResult } from '../team/text/call-result.js';
import { callBegins, callEnds, diffsOf } from './calls.js';
import { changesIn } from './patch.js';
import { createPlan } from './plan.js';
import { createSpeech } from './speech.js';

/**
 * Tells a client of the Agent Client Protocol what happens in a run: words, thoughts, calls with their status, changes of
 * files, the plan. It reads events of the record and live words of any kind of run, so a run that is told again from its
 * record tells the same as one that was watched.
 */
export interface Narrator {
  event(event: RunEventView): Promise<readonly SessionUpdate[]>;
  live(live: LiveView): readonly SessionUpdate[];
  /** The call that an approval is about, as the client knows it; one that was not told is told by asking. */
  callOf(approval: string): string;
  /** Who is at work in a lane, where that is worth saying. */
  nameOf(lane: string): string | undefined;
}

export interface NarratorOptions {
  /** The project's folder. */
  readonly folder: string;
  /** The text of a diff on record. */
  readonly diffOf: (hash: string) => Promise<string | undefined>;
  /** Whether a word of a person, given by this command, came from the client, which has shown it already. */
  readonly isOwnWord: (command: string) => boolean;
}

export function createNarrator({ folder, diffOf, isOwnWord }: NarratorOptions): Narrator {
  const names = new Map<string, string>();
  const nameOf = (lane: string): string | undefined => names.get(lane);
  const speech = createSpeech();
  const plan = createPlan(nameOf);
  /** Turns, and who speaks in them. */
  const turns = new Map<string, string>();
  /** Effects that are calls, and those that take a diff. */
  const effects = new Map<string, string>();
  const diffs = new Map<string, string>();
  /** Calls that were told and are not over. */
  const open = new Set<string>();
  /** Calls of the agents' own tools that were heard live. */
  const heard = new Set<string>();
  const approvals = new Map<string, string>();

  const person = (text: string | undefined, command: string): readonly SessionUpdate[] => {
    if (text === undefined || text === '') return [];
    speech.restart();
    return isOwnWord(command)
      ? []
      : [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } }];
  };
  const end = (call: string, result: ToldResult): readonly SessionUpdate[] => {
    if (!open.delete(call)) return [];
    return [callEnds(call, { text: result.text, isError: result.status !== 'ok' })];
  };
  const planned = (
    { id, name, input, plan: way, result }: Planned,
    lane: string,
  ): readonly SessionUpdate[] => {
    if (open.has(id)) return [];
    open.add(id);
    const begins = callBegins({ id, tool: name, input, name: nameOf(lane) }, 'pending');
    return way === 'refuse' && result !== undefined ? [begins, ...end(id, result)] : [begins];
  };
  const native = (turn: string, { id, name, input, output, isError }: Native): readonly SessionUpdate[] => {
    const call = `${turn}/${id}`;
    if (heard.has(call)) return [];
    heard.add(call);
    const lane = turns.get(turn) ?? '';
    return [
      callBegins({ id: call, tool: name, input: input ?? null, name: nameOf(lane) }, 'in_progress'),
      callEnds(call, { text: output ?? '', isError: isError === true }),
    ];
  };
  const turnOver = (id: string, { output }: EffectOutcome): readonly SessionUpdate[] => {
    const { text = '', native: own = [] } = (output ?? {}) as TurnOutput;
    const ended = speech.end(id, { text, name: nameOf(turns.get(id) ?? '') });
    return [...ended, ...own.filter(({ by }) => by !== 'caller').flatMap((each) => native(id, each))];
  };
  const changed = async (
    id: string,
    lane: string,
    { output }: EffectOutcome,
  ): Promise<readonly SessionUpdate[]> => {
    const { artifact, files = [] } = (output ?? {}) as DiffOutput;
    if (artifact === undefined || files.length === 0) return [];
    const text = await diffOf(artifact);
    const content = text === undefined ? [] : diffsOf(changesIn(text), folder);
    const shown = { id, tool: 'changed', input: { path: files.join(', ') }, name: nameOf(lane) };
    return [
      { ...callBegins(shown, 'in_progress'), kind: 'edit' } as SessionUpdate,
      callEnds(id, { text: content.length > 0 ? '' : files.join('\n'), isError: false, content }),
    ];
  };

  const recorded = async ({ type, data, command }: RunEventView): Promise<readonly SessionUpdate[]> => {
    const fields = (data ?? {}) as unknown as Fields;
    switch (type) {
      case 'node.added': {
        const { id, alias, label } = fields.node as unknown as AddedNode;
        names.set(id, alias ?? label ?? id);
        return [];
      }
      case 'frame.opened':
        if (fields.parent != null)
          names.set(fields.id ?? '', fields.name ?? fields.agent ?? fields.prompt ?? '');
        return [];
      // What people say, by kind of run.
      case 'run.started':
        return fields.goal?.by === 'author' ? [] : person(fields.goal?.text, command);
      case 'node.told':
      case 'message.told': {
        const { text, role = 'user', from = 'person' } = (fields.message ?? {}) as Told;
        return role === 'user' && from === 'person' && (fields.frame ?? 'main') === 'main'
          ? person(text, command)
          : [];
      }
      case 'agent.told':
        return fields.by === 'cuebook' ? [] : person(fields.text, command);
      case 'effect.intended': {
        const { id = '', kind, input } = fields;
        const lane = input?.node ?? input?.frame ?? '';
        if (kind === 'model.turn' || kind === 'node.turn') turns.set(id, lane);
        if (kind === 'tool.call' && input?.call !== undefined) effects.set(id, input.call);
        if (kind === 'diff.take') diffs.set(id, lane);
        return [];
      }
      case 'effect.begun': {
        const call = effects.get(fields.id ?? '');
        if (call === undefined || !open.has(call)) return [];
        return [{ sessionUpdate: 'tool_call_update', toolCallId: call, status: 'in_progress' }];
      }
      case 'effect.settled': {
        const { id = '', outcome = { ok: false } } = fields;
        const call = effects.get(id);
        const lane = diffs.get(id);
        if (call !== undefined) return end(call, resultOf(outcome));
        if (lane !== undefined) return changed(id, lane, outcome);
        return turns.has(id) ? turnOver(id, outcome) : [];
      }
      case 'step.judged':
      case 'agent.judged':
      case 'turn.judged':
        return (fields.calls ?? []).flatMap((call) =>
          planned(call, typeof fields.node === 'string' ? fields.node : (fields.frame ?? '')),
        );
      case 'native.called': {
        const call = (typeof fields.call === 'object' ? fields.call : data) as unknown as Planned;
        return planned(call, typeof fields.node === 'string' ? fields.node : '');
      }
      case 'call.settled':
        return typeof fields.call === 'string' && fields.result !== undefined
          ? end(fields.call, fields.result)
          : [];
      case 'thread.stopped':
      case 'agent.stopped':
      case 'run.stopped':
        return [...open].flatMap((call) => end(call, { status: 'stopped', text: STOPPED }));
      case 'approval.requested':
        if (fields.id !== undefined && open.has(fields.about ?? ''))
          approvals.set(fields.id, fields.about ?? '');
        return [];
      case 'approval.resolved': {
        const { id = '', decision = '', by, message } = fields;
        const call = approvals.get(id);
        const isDone = !NOT_DONE.has(decision);
        // What is allowed is told by what comes of it, where it is told at all.
        if (call === undefined || (isDone && call !== ownCall(id))) return [];
        const who = by === undefined || by === 'cuebook' ? '' : ` by ${by}`;
        const text = `${DECIDED[decision] ?? decision}${who}${message ? `: ${message}` : ''}`;
        return end(call, { status: isDone ? 'ok' : 'denied', text });
      }
      default:
        return [];
    }
  };

  return {
    async event(event) {
      const updates = await recorded(event);
      return [...updates, ...plan.take(event)];
    },
    live({ node, turn, event }) {
      const name = nameOf(node);
      switch (event.type) {
        case 'text.delta':
          return speech.say(turn, { kind: 'text', text: event.text, name });
        case 'reasoning.delta':
          return speech.say(turn, { kind: 'thought', text: event.text, name });
        case 'turn.end':
          // The record says what is left to tell: live words may have been missed.
          return [];
        case 'tool.end': {
          if (event.by === 'caller') return [];
          return native(turn, {
            ...event,
            ...(event.input === undefined ? {} : { input: event.input }),
          } as Native);
        }
        default:
          return [];
      }
    },
    callOf(approval) {
      const call = approvals.get(approval) ?? ownCall(approval);
      approvals.set(approval, call);
      open.add(call);
      return call;
    },
    nameOf,
  };
}

/** A call that nothing but its approval tells of: an agent asks in mid-turn. */
const ownCall = (approval: string): string => `approval/${approval}`;

const STOPPED = 'not done: the run was stopped first';

const NOT_DONE: ReadonlySet<string> = new Set(['deny', 'expire', 'withdraw']);
const DECIDED: Readonly<Record<string, string>> = {
  allow: 'allowed',
  change: 'changed and allowed',
  deny: 'denied',
  expire: 'not done: nobody answered in time',
  withdraw: 'not done: it is no longer wanted',
};

interface AddedNode {
  readonly id: string;
  readonly alias?: string;
  readonly label?: string;
}

interface Told {
  readonly text?: string;
  readonly role?: string;
  readonly from?: string;
}

interface Planned {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly plan?: string;
  readonly result?: ToldResult;
}

interface Native {
  readonly id: string;
  readonly name: string;
  readonly by?: string;
  readonly input?: JsonValue;
  readonly output?: string;
  readonly isError?: boolean;
}

interface TurnOutput {
  readonly text?: string;
  readonly native?: readonly Native[];
}

interface DiffOutput {
  readonly artifact?: string;
  readonly files?: readonly string[];
}

/** The fields of the events that are read here; each event has some of them. */
interface Fields {
  readonly id?: string;
  readonly kind?: string;
  readonly node?: string | AddedNode;
  readonly frame?: string;
  readonly parent?: string | null;
  readonly name?: string | null;
  readonly agent?: string | null;
  readonly prompt?: string | null;
  readonly goal?: { readonly text?: string; readonly by?: string } | null;
  readonly message?: Told | string;
  readonly text?: string;
  readonly by?: string;
  readonly about?: string;
  readonly decision?: string;
  readonly input?: { readonly node?: string; readonly frame?: string; readonly call?: string };
  readonly calls?: readonly Planned[];
  readonly call?: Planned | string;
  readonly result?: ToldResult;
  readonly outcome?: EffectOutcome;
}
