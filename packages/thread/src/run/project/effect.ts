import type { AnyThreadEvent } from '../event.js';
import type { Frame, Hooking } from '../frame.js';
import {
  type MessageOutcome,
  outputOf,
  type PrepareOutcome,
  type ResultOutcome,
  readStep,
  type SideEffects,
  type StepOutcome,
  type ToolOutcome,
} from '../outcome.js';
import { MAX_DIAGNOSTICS, type ThreadRunState, withFrame } from '../state.js';

/** What effects do to the conversation that they are about. */
export function projectEffect(state: ThreadRunState, event: AnyThreadEvent): ThreadRunState {
  switch (event.type) {
    case 'effect.intended': {
      const { id: effect, kind, input } = event.data;
      if (!isHooking(kind)) return state;
      const { frame, about } = input as { readonly frame: string; readonly about: readonly string[] };
      return withFrame(state, frame, ({ prepared }) => ({
        hooking: { effect, kind, about },
        prepared: kind === 'thread.prepare' ? 'running' : prepared,
      }));
    }
    case 'effects.noted': {
      const { frame, effects } = event.data;
      const noted = noteDiagnostics(state, effects);
      return hasEffects(effects) ? withFrame(noted, frame, () => ({ after: effectsOf(effects) })) : noted;
    }
    case 'effect.settled': {
      const { id, outcome } = event.data;
      const frame = Object.values(state.frames).find((each) => isAbout(each, id));
      if (frame === undefined) return state;
      const output = outputOf<PrepareOutcome>(outcome);
      const told = noteDiagnostics(state, output);
      const noted = hasEffects(output)
        ? withFrame(told, frame.id, () => ({ after: effectsOf(output) }))
        : told;
      if (frame.ask?.effect === id) return answered(noted, frame, readStep(outcome));
      if (frame.hooking?.effect === id) return hooked(noted, frame, outputOf(outcome));
      const call = frame.calls?.find(({ effect }) => effect === id);
      if (call === undefined) return noted;
      const { attachments, removed, extra } = outputOf<ToolOutcome>(outcome);
      return withFrame(noted, frame.id, () => ({
        results: {
          ...frame.results,
          [call.id]: {
            hooked: true as const,
            ...(attachments === undefined ? {} : { attachments }),
            ...(removed === undefined ? {} : { removed }),
            ...(extra === undefined ? {} : { extra }),
          },
        },
      }));
    }
    default:
      return state;
  }
}

/** Hooks have seen it, whatever they made of it. */
function hooked(
  state: ThreadRunState,
  { id, hooking, inbox, results }: Frame,
  output: Partial<MessageOutcome & ResultOutcome>,
): ThreadRunState {
  const { kind, about = [] } = hooking ?? {};
  if (kind === 'thread.prepare') return withFrame(state, id, () => ({ hooking: null, prepared: 'done' }));
  if (kind === 'message.hook')
    return withFrame(state, id, () => ({
      hooking: null,
      inbox: inbox.map((waiting) => {
        if (!about.includes(waiting.message.id)) return waiting;
        const { text, extra, rewritten } =
          output.messages?.find((each) => each.id === waiting.message.id) ?? waiting.message;
        const message = {
          ...waiting.message,
          text,
          ...(rewritten === undefined ? {} : { rewritten }),
          ...(extra === undefined ? {} : { extra }),
        };
        return { message, hooked: true };
      }),
    }));
  const seen = about.map((call) => {
    const { call: _, ...rest } = output.results?.find((each) => each.call === call) ?? { call };
    return [call, { ...results[call], ...rest, hooked: true as const }] as const;
  });
  return withFrame(state, id, () => ({
    hooking: null,
    results: { ...results, ...Object.fromEntries(seen) },
  }));
}

const isHooking = (kind: string): kind is Hooking['kind'] =>
  kind === 'thread.prepare' || kind === 'message.hook' || kind === 'result.hook';

function answered(state: ThreadRunState, { id, messages }: Frame, answer: StepOutcome): ThreadRunState {
  const { sessionId, described = [] } = answer;
  const lane = sessionId === undefined ? undefined : sessionId.slice(0, sessionId.lastIndexOf('@'));
  const voices =
    lane === undefined || sessionId === undefined ? state.voices : { ...state.voices, [lane]: sessionId };
  const told = new Map(described.map(({ blob, text }) => [blob, text]));
  const seen =
    told.size === 0
      ? messages
      : messages.map((message) =>
          message.attachments === undefined
            ? message
            : {
                ...message,
                attachments: message.attachments.map((each) => {
                  const description = told.get(each.blob);
                  return description === undefined ? each : { ...each, description };
                }),
              },
        );
  const rehearsal = answer.rehearsal === true ? { rehearsal: true as const } : {};
  return withFrame({ ...state, voices, ...rehearsal }, id, () => ({ answer, messages: seen }));
}

const hasEffects = ({
  env = [],
  notices = [],
  start = [],
  consumed = [],
}: Partial<PrepareOutcome>): boolean => env.length + notices.length + start.length + consumed.length > 0;

const effectsOf = ({ env = [], notices = [], start = [], consumed = [] }: Partial<PrepareOutcome>) => ({
  env,
  notices,
  start,
  consumed,
});

const noteDiagnostics = (
  state: ThreadRunState,
  { diagnostics = [] }: Partial<SideEffects>,
): ThreadRunState =>
  diagnostics.length === 0
    ? state
    : { ...state, diagnostics: [...state.diagnostics, ...diagnostics].slice(-MAX_DIAGNOSTICS) };

const isAbout = ({ ask, hooking, calls }: Frame, effect: string): boolean =>
  ask?.effect === effect ||
  hooking?.effect === effect ||
  (calls ?? []).some((call) => call.effect === effect);
