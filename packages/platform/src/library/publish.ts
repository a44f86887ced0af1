import {
  KEYS,
  type ObjectError,
  proofBytes,
  readJson,
  readLibrary,
  type Scenario,
  type TrustError,
  templateBytes,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from '../desk.js';
import { type HoldingError, holding } from '../holding.js';
import { publishOffline } from '../home/found.js';
import { change, type RecordError } from '../ledger.js';
import { findLibrary, recordOf, type TemplateLibrary } from './library.js';
import {
  LIBRARY,
  type LibraryError,
  type LibraryRecord,
  type TemplateRecord,
  versionName,
} from './record.js';
import type { LibrarySignature } from './request.js';

/** What a signed list changed. */
export interface PublishedLibrary {
  readonly version: number;
  readonly added: readonly string[];
  readonly retired: readonly string[];
}

export type LibraryPublishError = LibraryError | RecordError | TrustError | ObjectError | HoldingError;

/**
 * Takes a signed list: the words that it lists are those on record, and were reviewed; the list is newer than the one
 * before. It is on record first; what is missing in the store is written after that, here or by the next publication.
 * A new scenario is assigned from now on; a new version of one that there is waits for `pinVersion` or an experiment.
 */
export const publishLibrary = (
  parts: PlatformParts,
  signature: LibrarySignature,
  by: string,
): Promise<Result<PublishedLibrary, LibraryPublishError>> =>
  holding(parts, () => takeLibrary(parts, signature, by));

async function takeLibrary(
  parts: PlatformParts,
  { platform, metadata }: LibrarySignature,
  by: string,
): Promise<Result<PublishedLibrary, LibraryPublishError>> {
  if (platform !== parts.name) return refuse('other-platform', platform.slice(0, 64));
  const signed = readLibrary(parts.trust.targets, Buffer.from(metadata));
  if (!signed.ok) return signed;
  const { version, expires, lists, size } = signed.value;
  const kept = await findLibrary(parts);
  // Nothing that is signed later leads to a version that is retired: it must be in the store with the list before.
  const before = kept.record.templates.some(({ retiring }) => retiring)
    ? await keepStored(parts, kept)
    : ok(undefined);
  if (!before.ok) return before;
  const done = await change<LibraryRecord, PublishedLibrary, LibraryError>(parts.store, LIBRARY, (state) => {
    const record = recordOf(parts, state);
    // The same file again: what was done stays done, and what was left undone is finished below.
    if (record.metadata === metadata) return ok({ events: [], answer: { version, added: [], retired: [] } });
    const newest = Math.max(record.version, parts.trust.library.version);
    if (guard('library.stale', version <= newest)) return refuse('stale', String(version));
    if (expires <= parts.now()) return refuse('expired', String(version));
    const templates = record.templates.map((template) => stepOf(template, lists));
    const listed = templates.filter(({ status }) => status === 'listed');
    if (guard('library.words', listed.length !== size)) return refuse('other-words', String(version));
    const gone = record.templates.filter(
      (each, at) => each.status !== templates[at]?.status && isGone(templates[at]),
    );
    const unasked = gone.find(({ retiring }) => retiring !== true);
    if (unasked !== undefined) return refuse('stale', versionName(unasked.scenario));
    const added = listed
      .filter(({ scenario }) => !wasListed(record, scenario))
      .map(({ scenario }) => scenario);
    const retired = gone.map(({ scenario }) => versionName(scenario));
    const answer = { version, added: added.map(versionName), retired };
    const pins = { ...firstOf(added), ...record.pins };
    const floor = gone.length > 0 ? version : record.floor;
    return ok({
      events: [{ type: 'library.published', data: { by, ...answer } }],
      state: { ...record, version, metadata, floor, pins, templates },
      answer,
    });
  });
  if (!done.ok) return done;
  const stored = await keepStored(parts, await findLibrary(parts));
  return stored.ok ? done : stored;
}

/**
 * Puts the list and every version into the store, where they are not there yet. Agents and auditors find each of them
 * there for ever, with the way to what vouches for it.
 */
async function storeLibrary(
  { objects, trust }: Pick<PlatformParts, 'objects' | 'trust'>,
  { metadata, library }: TemplateLibrary,
): Promise<Result<void, ObjectError>> {
  const now = { root: trust.root.version, targets: trust.targets.version, library: metadata.version };
  for (const scenario of library) {
    const { id, version } = scenario;
    if (await isVouched({ objects, trust }, scenario)) continue;
    const put = await objects.put(KEYS.template(id, version), templateBytes(scenario), { ifAbsent: true });
    if (!put.ok && put.error.reason !== 'exists') return put;
    const pointed = await objects.put(KEYS.templateProof(id, version), proofBytes(now));
    if (!pointed.ok) return pointed;
  }
  // Last: who finds the list finds all that it lists.
  const listed = await objects.put(KEYS.shared('library', metadata.version), metadata.bytes, {
    ifAbsent: true,
  });
  return listed.ok || listed.error.reason === 'exists' ? ok(undefined) : listed;
}

/**
 * Puts what was signed offline and the list with its versions into the store, where they are missing. Agents must find
 * the list that their snapshot pins, and whoever verifies a version the way to it from the root.
 */
export async function keepStored(
  parts: Pick<PlatformParts, 'objects' | 'trust'>,
  library: TemplateLibrary,
): Promise<Result<void, ObjectError>> {
  const offline = await publishOffline(parts.objects, parts.trust);
  if (!offline.ok) return offline;
  return (await isStored(parts, library)) ? ok(undefined) : storeLibrary(parts, library);
}

/** Whether the store has this list and everything in it: the last version is written last but for the list. */
async function isStored(
  parts: Pick<PlatformParts, 'objects' | 'trust'>,
  { metadata, library }: TemplateLibrary,
): Promise<boolean> {
  const last = library.at(-1);
  if (last !== undefined && !(await isVouched(parts, last))) return false;
  return (await parts.objects.get(KEYS.shared('library', metadata.version))).ok;
}

/** Whether a version is in the store with a way to it from the root that counts now. */
async function isVouched(
  { objects, trust }: Pick<PlatformParts, 'objects' | 'trust'>,
  { id, version }: Scenario,
): Promise<boolean> {
  const found = await objects.get(KEYS.templateProof(id, version), { limit: 4096 });
  const read = found.ok ? readJson(found.value) : undefined;
  const { root, targets } = (read?.ok ? read.value : {}) as {
    readonly root?: unknown;
    readonly targets?: unknown;
  };
  return root === trust.root.version && targets === trust.targets.version;
}

/** A version that the list has is listed; one that it had and has no more is retired. */
function stepOf(template: TemplateRecord, lists: (scenario: Scenario) => boolean): TemplateRecord {
  const { retiring: _, ...rest } = template;
  const isOpen = template.status === 'approved' || template.status === 'listed';
  if (isOpen && lists(template.scenario)) return { ...rest, status: 'listed' };
  return template.status === 'listed' ? { ...rest, status: 'retired' } : template;
}

const isGone = (template: TemplateRecord | undefined): boolean => template?.status === 'retired';

const wasListed = ({ templates }: LibraryRecord, { id, version }: Scenario): boolean =>
  templates.some(
    ({ scenario, status }) => scenario.id === id && scenario.version === version && status === 'listed',
  );

const firstOf = (added: readonly Scenario[]): Readonly<Record<string, number>> =>
  Object.fromEntries(added.map(({ id, version }) => [id, version]));

const refuse = (reason: LibraryError['reason'], what: string) =>
  fail<LibraryError>({ code: 'E_LIBRARY', reason, what });
