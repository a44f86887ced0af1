import type { Script } from '@cuebook/provider';

/**
 * Which step of a script each turn plays. Steps belong to turns: the same turn again, after a crash or in another
 * process, plays the same step, and a turn that has its outcome never gives its step back.
 */
export interface ScriptLanes {
  /** Steps that turns with an outcome have played, as the rehearsal names sessions: `lane@step`. */
  hear(sessions: Iterable<string>): void;
  /** The place for a session that is called by these names; undefined: no lane has any of them. */
  take(names: readonly string[], effect: string): ScriptPlace | undefined;
}

export interface ScriptPlace {
  readonly lane: string;
  /** The session to go on with, as the rehearsal names it; left out: the first step. */
  readonly resume?: string;
  /** It answers by odds in place of steps: the session of the node itself says where it is. */
  readonly isModel?: true;
}

export function openScriptLanes({ lanes, models = {} }: Script): ScriptLanes {
  const next = new Map<string, number>();
  const taken = new Map<string, ScriptPlace>();
  return {
    hear(sessions) {
      for (const session of sessions) {
        const at = session.lastIndexOf('@');
        const [lane, index] = [session.slice(0, at), Number(session.slice(at + 1))];
        if (Object.hasOwn(lanes, lane) && Number.isSafeInteger(index))
          next.set(lane, Math.max(next.get(lane) ?? 0, index + 1));
      }
    },
    take(names, effect) {
      const known = taken.get(effect);
      if (known) return known;
      const lane = [...names, ANY].find((name) => Object.hasOwn(lanes, name) || Object.hasOwn(models, name));
      if (lane === undefined) return undefined;
      if (Object.hasOwn(models, lane)) return { lane, isModel: true };
      const index = next.get(lane) ?? 0;
      const place = { lane, ...(index === 0 ? {} : { resume: `${lane}@${index - 1}` }) };
      // An exhausted lane stays where it is, and says so each time.
      if (index < (lanes[lane]?.length ?? 0)) {
        next.set(lane, index + 1);
        taken.set(effect, place);
      }
      return place;
    },
  };
}

const ANY = '*';
