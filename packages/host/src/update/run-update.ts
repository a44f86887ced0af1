import type { DecidedWord } from '@cuebook/engine';
import { person } from '@cuebook/engine';
import type { ProjectionChange, RunId, Store } from '@cuebook/journal';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import type { KeptSources, SourcesPlace } from '../sources-place.js';

/** A person moves a run to other sources. They are sealed already. `Own`: what the kind notes of them. */
export type RunUpdate<Own = null> = {
  readonly type: 'run.update';
  readonly by: string;
  readonly to: KeptSources;
  readonly own: Own;
};

/** From here on the run uses other sources: every turn that is begun behind this event. */
export type RunUpdated<Own extends JsonValue = null> = {
  readonly type: 'run.updated';
  readonly data: {
    readonly by: string;
    readonly from: SourcesPlace | null;
    readonly to: KeptSources;
    readonly own: Own;
  };
};

/** How a run stands that is to be moved. */
export interface MovingFrom {
  /** What it uses now; left out: it kept none. */
  readonly sources?: SourcesPlace | undefined;
  /** Why nothing will ever be told in it again. */
  readonly over?: string | undefined;
  /** What it is at, or goes on with, and the new sources do not have: `agent:NAME`. */
  readonly gone?: string | undefined;
}

/** What a kind answers to the word that moves a run. */
export function decideUpdate<Own extends JsonValue>(
  { sources, over, gone }: MovingFrom,
  { by, to, own }: Omit<RunUpdate<Own>, 'type'>,
): DecidedWord<RunUpdated<Own>> {
  if (over !== undefined) return fail({ code: 'E_RUN_OVER', message: `The run is over: ${over}.` });
  if (gone !== undefined)
    return fail({
      code: 'E_UPDATE_GONE',
      message: `The run uses ${gone}, which the new sources do not have.`,
    });
  const from = sources === undefined ? null : placeOf(sources);
  if (from !== null && isSame(from, to)) return fail({ code: 'E_UPDATE_SAME', message: SAME });
  return ok({
    events: [{ type: 'run.updated', data: { by: person(by), from, to, own } }],
    answer: { from: versionOf(from), to: versionOf(placeOf(to)) },
  });
}

/** A version as answers name it: no entry of a vault, no machine. */
const versionOf = (place: SourcesPlace | null): JsonValue =>
  place && { commit: place.commit ?? null, within: place.within ?? null, folder: place.machine !== null };

/** The same texts have the same entry; a run that was never moved has the other files in the folder that it began in. */
const isSame = (from: SourcesPlace, to: SourcesPlace): boolean =>
  from.entry === to.entry &&
  from.commit === to.commit &&
  from.within === to.within &&
  (from.machine === to.machine || (from.machine === undefined && to.machine !== null));

export function placeOf(sources: SourcesPlace & { readonly files?: unknown }): SourcesPlace {
  const { files: _files, ...place } = sources;
  return place;
}

/** The last update of a run, in a list over all runs: for a machine that looks for the version of a run. */
export const listUpdate = (
  run: RunId,
  event: { readonly type: string; readonly data: JsonValue },
): readonly ProjectionChange[] => {
  if (event.type !== 'run.updated') return [];
  const { to, own } = event.data as unknown as RunUpdated<JsonValue>['data'];
  return [{ name: UPDATES_PROJECTION, key: run, value: { place: placeOf(to), own } as JsonValue }];
};

/** What a run was moved to last; undefined: it uses what it began with. */
export const findUpdate = async (
  store: Pick<Store, 'projection'>,
  run: RunId,
): Promise<{ readonly place: SourcesPlace; readonly own: JsonValue } | undefined> =>
  (await store.projection(UPDATES_PROJECTION, run)) as never;

const UPDATES_PROJECTION = 'updates';

const SAME = 'The run uses these sources already, so there is nothing to update.';
