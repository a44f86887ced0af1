import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from '../desk.js';
import { listExperiments } from '../experiments.js';
import { change, type RecordError } from '../ledger.js';
import { libraryOf, recordOf } from './library.js';
import { LIBRARY, type LibraryError, type LibraryRecord, versionName } from './record.js';

/** Which version of a scenario is assigned, before and after. */
export interface Pinned {
  readonly scenario: string;
  readonly from: number | undefined;
  readonly version: number;
}

type PinError = LibraryError | RecordError;

/** Assigns a listed version to everybody who is in no experiment about it, with the next publication. */
export function pinVersion(
  parts: PlatformParts,
  { scenario, version, by }: { readonly scenario: string; readonly version: number; readonly by: string },
): Promise<Result<Pinned, PinError>> {
  return change<LibraryRecord, Pinned, LibraryError>(parts.store, LIBRARY, (kept) => {
    const record = recordOf(parts, kept);
    const found = record.templates.find(
      (each) => each.scenario.id === scenario && each.scenario.version === version,
    );
    const isThere = libraryOf(parts, record).library.some((each) => each === found?.scenario);
    if (guard('library.pin-listed', !isThere || found?.retiring === true))
      return refuse('not-listed', versionName({ id: scenario, version }));
    const from = pinOf(record, scenario);
    const pinned = { scenario, from, version };
    if (from === version) return ok({ events: [], answer: pinned });
    const before = from === undefined ? [] : [...(record.earlier[scenario] ?? []), from].slice(-KEPT);
    return ok({
      events: [{ type: 'library.pinned', data: { by, scenario, version, from: from ?? 0 } }],
      state: {
        ...record,
        pins: { ...record.pins, [scenario]: version },
        earlier: { ...record.earlier, [scenario]: before },
      },
      answer: pinned,
    });
  });
}

/** What to roll back. */
export interface RollBack {
  readonly scenario: string;
  /** The version that is assigned now, as whoever asks has seen it: two people at once go one step back, not two. */
  readonly from?: number | undefined;
  readonly by: string;
}

/** Assigns the version that was assigned before this one. Done twice without `from` it goes two steps back. */
export function rollBackVersion(
  parts: PlatformParts,
  { scenario, from: seen, by }: RollBack,
): Promise<Result<Pinned, PinError>> {
  return change<LibraryRecord, Pinned, LibraryError>(parts.store, LIBRARY, (kept) => {
    const record = recordOf(parts, kept);
    const from = pinOf(record, scenario);
    if (from === undefined) return refuse('unknown', scenario.slice(0, 64));
    if (guard('library.rollback-from', seen !== undefined && seen !== from))
      return refuse('not-assigned', versionName({ id: scenario, version: seen ?? from }));
    const { library } = libraryOf(parts, record);
    // Versions that were retired since are passed over.
    const there = (record.earlier[scenario] ?? []).filter((version) =>
      library.some((each) => each.id === scenario && each.version === version),
    );
    const version = there.at(-1);
    if (version === undefined) return refuse('nothing-before', scenario);
    return ok({
      events: [{ type: 'library.rolled-back', data: { by, scenario, version, from } }],
      state: {
        ...record,
        pins: { ...record.pins, [scenario]: version },
        earlier: { ...record.earlier, [scenario]: there.slice(0, -1) },
      },
      answer: { scenario, from, version },
    });
  });
}

/**
 * Marks a version to go with the next signature: from then on no agent takes it, whoever assigns it. It stays in the
 * store and verifiable. One that is assigned, or an arm of an experiment, cannot go.
 */
export async function retireVersion(
  parts: PlatformParts,
  { scenario, version, by }: { readonly scenario: string; readonly version: number; readonly by: string },
): Promise<Result<void, PinError>> {
  const what = versionName({ id: scenario, version });
  const experiments = await listExperiments(parts);
  const isTried = experiments.some(
    (each) => each.scenario === scenario && [each.control, each.candidate].includes(version),
  );
  if (guard('library.retire-tried', isTried)) return refuse('in-experiment', what);
  return change<LibraryRecord, void, LibraryError>(parts.store, LIBRARY, (kept) => {
    const record = recordOf(parts, kept);
    const found = record.templates.find(
      (each) => each.scenario.id === scenario && each.scenario.version === version,
    );
    if (found?.status !== 'listed') return refuse('not-listed', what);
    if (guard('library.retire-active', pinOf(record, scenario) === version)) return refuse('active', what);
    return ok({
      events: [{ type: 'library.retiring', data: { by, scenario, version } }],
      state: {
        ...record,
        templates: record.templates.map((each) => (each === found ? { ...each, retiring: true } : each)),
      },
      answer: undefined,
    });
  });
}

const pinOf = ({ pins }: LibraryRecord, scenario: string): number | undefined =>
  Object.hasOwn(pins, scenario) ? pins[scenario] : undefined;

const refuse = (reason: LibraryError['reason'], what: string) =>
  fail<LibraryError>({ code: 'E_LIBRARY', reason, what });

/** How far back a roll back can go. */
const KEPT = 50;
