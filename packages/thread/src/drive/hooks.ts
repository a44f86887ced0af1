import type { HookKind, StateView } from '@cuebook/define';
import { clipWords } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import type { Mask } from '../env/mask.js';
import { hookIds } from '../run/definitions.js';
import type { Frame } from '../run/frame.js';
import type { SideEffects, ThreadDiagnostic } from '../run/outcome.js';
import type { ThreadRunState } from '../run/state.js';
import type { DriveParts } from './parts.js';
import { newEffects, type ViewEffects, viewOf } from './view.js';

/** The hooks of one conversation while one effect of it is done, and what they did. */
export interface HookRun {
  readonly has: (kind: HookKind) => boolean;
  /** The hooks of a kind, in order. */
  readonly of: (kind: HookKind) => readonly string[];
  /** Lets every hook of a kind know. What it answers counts for nothing. */
  tell(kind: HookKind, args: readonly JsonValue[], child?: StateView): Promise<void>;
  /** Lets every hook of a kind change a value, in order. One that fails or answers something else changes nothing. */
  change<T>(kind: HookKind, value: T, how: Changing<T>): Promise<T>;
  readonly note: (diagnostic: ThreadDiagnostic) => void;
  readonly viewed: ViewEffects;
  readonly effects: () => SideEffects;
  /** Knows the secrets that were set in the meantime. */
  readonly mask: () => Mask;
}

export interface Changing<T> {
  readonly args: (value: T) => readonly JsonValue[];
  /** The value that an answer stands for; undefined when it has another shape. */
  readonly accept: (answer: JsonValue, value: T, hook: string) => T | undefined;
  /** Whether an answer of nothing is a mistake. */
  readonly mayBeEmpty?: boolean;
}

export interface HookPlace {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly reader: Reader;
}

export function createHookRun(parts: DriveParts, { state, frame, reader }: HookPlace): HookRun {
  const { live, hookMs } = parts;
  const ids = hookIds(reader.prompt, reader.agent);
  const viewed = newEffects();
  const diagnostics: ThreadDiagnostic[] = [];
  const of = (kind: HookKind) => ids.filter((id) => live.catalog.hooks.get(id)?.data.hook === kind);
  const mask = (): Mask => parts.maskOf(state, viewed.secrets);
  const note = ({ code, severity, message }: ThreadDiagnostic): void => {
    const text = mask().text(message);
    // A hook that does the same in every step is told of once.
    const isKnown = [...state.diagnostics, ...diagnostics].some((each) => each.message === text);
    if (diagnostics.length < MAX_DIAGNOSTICS && !(code === 'W_HOOK_WORDS' && isKnown))
      diagnostics.push({ code, severity, message: text });
  };
  const call = async (kind: HookKind, hook: string, args: readonly JsonValue[], child?: StateView) => {
    const view = viewOf(parts, { state, frame, reader, effects: viewed });
    const answer = await live.callHook({
      hook,
      kind,
      args,
      state: view,
      timeoutMs: hookMs,
      ...(child === undefined ? {} : { child }),
    });
    if (!guard('hook.failed', answer.kind === 'failed') || answer.kind !== 'failed') return answer;
    const message = `The hook "${hook}" (${kind}) failed (${answer.reason}): ${clipWords(answer.text, 500)}`;
    note({ code: 'W_HOOK_FAILED', severity: 'warning', message });
    return undefined;
  };
  return {
    has: (kind) => of(kind).length > 0,
    of,
    async tell(kind, args, child) {
      for (const hook of of(kind)) await call(kind, hook, args, child);
    },
    async change(kind, value, { args, accept, mayBeEmpty = false }) {
      let current = value;
      for (const hook of of(kind)) {
        const answer = await call(kind, hook, args(current));
        if (answer?.kind !== 'value') continue;
        const isEmpty = answer.value === undefined;
        const changed = isEmpty ? undefined : accept(answer.value as JsonValue, current, hook);
        if (!guard('hook.shape', changed === undefined)) current = changed as typeof current;
        else if (!(isEmpty && mayBeEmpty)) {
          const what = isEmpty ? 'nothing' : 'something of another shape';
          const message = `The hook "${hook}" (${kind}) answered ${what}, so the data is as it was.`;
          note({ code: 'W_HOOK_EMPTY', severity: 'warning', message });
        }
      }
      return current;
    },
    note,
    viewed,
    effects: () => ({
      env: viewed.env,
      notices: viewed.notices.map((text) => mask().text(text)),
      diagnostics,
    }),
    mask,
  };
}

const MAX_DIAGNOSTICS = 50;
