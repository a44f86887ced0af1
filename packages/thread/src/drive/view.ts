import type { StateView } from '@cuebook/define';
import { clipWords } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import type { Frame } from '../run/frame.js';
import type { EnvChange } from '../run/outcome.js';
import { type ThreadRunState, threadOf } from '../run/state.js';
import type { DriveParts } from './parts.js';

/** What a function did to its thread. */
export interface ViewEffects {
  readonly env: EnvChange[];
  readonly notices: string[];
  /** Values that became secrets while it ran. */
  readonly secrets: string[];
}

export const newEffects = (): ViewEffects => ({ env: [], notices: [], secrets: [] });

/** The state of a thread as a function sees it. What it does is kept until its answer is. */
export function viewOf(
  { environments }: DriveParts,
  { state, frame, reader, effects }: ViewInput,
): StateView {
  const read = environments.visible(state, frame, reader);
  const now = Object.fromEntries(
    effects.env.flatMap(({ name, value }) => (value.type === 'text' ? [[name, value]] : [])),
  );
  return {
    threadId: threadOf(state, frame).id,
    agent: reader.agent?.name,
    prompt: reader.prompt?.name ?? '',
    options: (reader.tool?.options ?? {}) as Readonly<Record<string, JsonValue>>,
    env: { ...read, ...now },
    async setEnv(name, value, type) {
      const kept = { ...environments.keep(name, value, type), by: 'function' as const };
      if (kept.type === 'secret') effects.secrets.push(value);
      effects.env.push({ name, value: kept });
    },
    async notifyParent(message) {
      if (effects.notices.length < MAX_NOTICES) effects.notices.push(clipWords(message, MAX_NOTICE));
    },
  };
}

export interface ViewInput {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly reader: Reader;
  readonly effects: ViewEffects;
}

const MAX_NOTICES = 100;
const MAX_NOTICE = 50_000;
