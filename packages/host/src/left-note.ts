import type { Files } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';

/** Why machines that were handed a run could not go on with it, as the others read it. */
export interface LeftNote {
  /** Where the log stood: a run that has gone on since is another matter. */
  readonly seq: number;
  /** The problem of each machine, by its name. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Writes down that this machine cannot go on with a run. A note that cannot be written is not missed: the log of the process has it. */
export async function noteLeft(
  home: Files,
  run: RunId,
  { seq, machine, problem }: { readonly seq: number; readonly machine: string; readonly problem: string },
): Promise<void> {
  const known = await readLeft(home, run);
  const problems = known?.seq === seq ? known.problems : {};
  if (problems[machine] === problem) return;
  await home.writeText(fileOf(run), JSON.stringify({ seq, problems: { ...problems, [machine]: problem } }), {
    mode: 0o600,
  });
}

/** What machines have written down; undefined: nothing, or nothing that can be read. */
export async function readLeft(home: Files, run: RunId): Promise<LeftNote | undefined> {
  const text = await home.readText(fileOf(run), { limit: 1_000_000 });
  if (!text.ok) return undefined;
  try {
    const { seq, problems } = Object(JSON.parse(text.value)) as Record<string, unknown>;
    const rows = Object.entries(Object(problems) as Record<string, unknown>).filter(
      (row): row is [string, string] => typeof row[1] === 'string',
    );
    return typeof seq === 'number' ? { seq, problems: Object.fromEntries(rows) } : undefined;
  } catch {
    return undefined; // Writes are atomic: somebody else wrote this.
  }
}

const fileOf = (run: RunId): string => `runs/${run}.left`;
