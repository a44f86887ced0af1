import { createEngine } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import { refuse } from './errors.js';
import type { Ground, KindAtWork, RunKind } from './kind.js';
import { newerRun } from './newer-layout.js';
import { NO_UPDATE } from './per-run.js';

/** A kind that names its events, held to them: runs in which a newer version has written others are left as they are. */
export const knowing = (kind: RunKind): RunKind =>
  kind.events === undefined
    ? kind
    : { ...kind, attach: (ground) => holdTo(kind, kind.attach(ground), ground) };

function holdTo({ name, events }: RunKind, work: KindAtWork, { store, onProblem }: Ground): KindAtWork {
  const decide = () => ({ ok: true, events: [] }) as const;
  const machine = { kind: name, initial: null, ...(events && { events }), decide, project: () => null };
  const reader = createEngine({ store, machine, drivers: {} });
  const newer = async (run: RunId): Promise<Result<never, HostError> | undefined> =>
    newerRun(await reader.read(run));
  const { watch, active, runFor } = work;
  return {
    start: () => work.start(),
    stop: (options) => work.stop(options),
    begin: async (run, call) => (await newer((await work.runFor?.(call)) ?? run)) ?? work.begin(run, call),
    tell: async (run, word, said) => (await newer(run)) ?? work.tell(run, word, said),
    wordFor: (wait, reply) => work.wordFor(wait, reply),
    async goOn(run) {
      const found = await newer(run);
      if (found?.ok === false) onProblem(`${found.error.code} ${found.error.message}`, { run });
      else await work.goOn?.(run);
    },
    update: async (run, to, said) =>
      (await newer(run)) ??
      (await work.update?.(run, to, said)) ??
      refuse('conflict', 'E_UPDATE_KIND', NO_UPDATE),
    ...(work.updateSpends && { updateSpends: true }),
    report: (run) => work.report(run),
    waits: (filter) => work.waits(filter),
    drain: () => work.drain(),
    ...(watch && { watch: watch.bind(work) }),
    ...(active && { active: active.bind(work) }),
    ...(runFor && { runFor: runFor.bind(work) }),
  };
}
