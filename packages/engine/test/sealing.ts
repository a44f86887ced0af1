import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunId, Store } from '@cuebook/journal';
import { createRedactor, type JsonValue } from '@cuebook/prompt';
import type { ApprovalEvent } from '../src/approval/approval.js';
import { requestApproval } from '../src/approval/approval.js';
import { listApprovals } from '../src/approval/listing.js';
import { createEngine, type Engine } from '../src/loop/engine.js';
import type { EngineEvent, Machine } from '../src/machine.js';

export const RUN = 'run_1' as RunId;

/** What a stranger says: it is kept, asked about, done, and what came of it is kept as well. */
export type Word = { readonly type: 'word.say' | 'approval.resolve'; readonly said: JsonValue };
type WordEvent = { readonly type: 'word.said'; readonly data: { readonly said: JsonValue } } | ApprovalEvent;
export type WordState = { readonly said: readonly JsonValue[]; readonly done: readonly JsonValue[] };

/** A kind of run that puts every word into an event, a list, a state, a standing, an answer, and an effect. */
const machine: Machine<WordState, Word, WordEvent> = {
  kind: 'words',
  initial: { said: [], done: [] },
  decide(_state, command, { now, newId }) {
    if (command.type === 'effect.settle' || command.type === 'timer.fire') return { ok: true, events: [] };
    const { said } = command as Word;
    const input = { said, again: [said] };
    const intent: EngineEvent = {
      type: 'effect.intended',
      data: { id: newId('eff'), kind: 'do', lane: 'a', input, onCrash: 'repeat' },
    };
    return {
      ok: true,
      events: [
        { type: 'word.said', data: { said } },
        ...(requestApproval({ id: newId('apr'), about: 'x', tool: 't', input }, now) as ApprovalEvent[]),
        intent,
      ],
      answer: { heard: said },
    };
  },
  project(state, event) {
    if (event.type === 'word.said') return { ...state, said: [...state.said, event.data.said] };
    if (event.type !== 'effect.settled') return state;
    const { outcome } = event.data;
    return { ...state, done: [...state.done, outcome.ok ? outcome.output : outcome.error.code] };
  },
  list: (run, event) => listApprovals({ run, lane: 'a' }, event),
};

export interface Words {
  readonly engine: Engine<WordState, Word>;
  /** What drivers were given. */
  readonly given: JsonValue[];
}

/** The kind at work on a store. A driver answers with what it was given. */
export function wordsOn(store: Store, credentials: readonly string[] = []): Words {
  const given: JsonValue[] = [];
  const engine = createEngine({
    store,
    machine,
    keepState: true,
    redactor: createRedactor({ roots: [], private: [], names: [], credentials }),
    drivers: {
      do: {
        async perform({ input }) {
          const { said } = input as { readonly said: JsonValue };
          given.push(said);
          // Parts of a text are put together here and nowhere before: the whole is new to the engine.
          return { ok: true, output: { did: Array.isArray(said) ? said.join('') : said } };
        },
      },
    },
  });
  return { engine, given };
}

/** Every file of a journal's folder, as one text: database, write-ahead log, keys. */
export function bytesOf(file: string): string {
  const folder = dirname(file);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return names.map((each) => readFileSync(join(each.parentPath, each.name), 'latin1')).join('\n');
}
