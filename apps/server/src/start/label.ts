import { describeFileError, type Files } from '@cuebook/files';
import { type HostError, refuse, type StartCall } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';

/** The labels that runs want of the workers that take them. */
export interface RunLabels {
  /** Keeps what a run wants: it stays so, whatever the project says later. */
  note(run: RunId, call: StartCall): Promise<Result<null, HostError>>;
  /** What a run wants; undefined: any worker takes it. */
  find(kind: string, run: RunId): Promise<string | undefined>;
}

/** `configured`: the label by a target, or by a kind for all of its runs. */
export function createRunLabels(shared: Files, configured: Readonly<Record<string, string>>): RunLabels {
  const named = (key: string): string | undefined =>
    Object.hasOwn(configured, key) ? configured[key] : undefined;
  return {
    async note(run, { label, target }) {
      const wanted = label ?? named(target);
      if (wanted === undefined) return ok(null);
      const kept = await shared.writeText(fileOf(run), wanted, { mode: 0o600, ifMatch: 'absent' });
      if (kept.ok || kept.error.code === 'E_FILE_CHANGED') return ok(null);
      return refuse('unavailable', kept.error.code, describeFileError(kept.error));
    },
    async find(kind, run) {
      const text = await shared.readText(fileOf(run), { limit: 100 });
      return text.ok ? text.value.trim() : named(kind);
    },
  };
}

/** A label of a person as the queue knows it: never the name of a machine. */
export const labelName = (label: string): string => `+${label}`;

const fileOf = (run: RunId): string => `runs/${run}.label`;
