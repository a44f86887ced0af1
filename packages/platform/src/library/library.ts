import { readLibrary, type Scenario, type SignedMetadata } from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust, PlatformParts } from '../desk.js';
import { stateOf } from '../ledger.js';
import { LIBRARY, type LibraryError, type LibraryRecord, type TemplateRecord } from './record.js';

/** What may be assigned, and what is. */
export interface TemplateLibrary {
  /** The signed list. */
  readonly metadata: SignedMetadata;
  /** The versions that are assigned where no experiment says otherwise. */
  readonly active: readonly Scenario[];
  /** Every version that the signed list has. */
  readonly library: readonly Scenario[];
  readonly record: LibraryRecord;
}

/** The library as it stands now: on record, so that a running server and a command see the same. */
export async function findLibrary(parts: PlatformParts): Promise<TemplateLibrary> {
  const kept = await stateOf<LibraryRecord>(parts.store, LIBRARY);
  return libraryOf(parts, recordOf(parts, kept));
}

/** The version of a scenario that is assigned now. What the library does not list is told to nobody. */
export async function assignedVersion(
  parts: PlatformParts,
  id: string,
): Promise<Result<Scenario, LibraryError>> {
  const scenario = (await findLibrary(parts)).active.find((each) => each.id === id);
  return scenario === undefined ? fail({ code: 'E_LIBRARY', reason: 'not-listed', what: id }) : ok(scenario);
}

/** What was signed away from the server, with the library as it stands now. */
export async function offlineTrust(parts: PlatformParts): Promise<OfflineTrust> {
  const { metadata } = await findLibrary(parts);
  return metadata === parts.trust.library ? parts.trust : { ...parts.trust, library: metadata };
}

/** The record, or that of a platform whose library nobody has changed since it was founded. */
export function recordOf(
  { trust, active, library, now }: PlatformParts,
  kept: LibraryRecord | undefined,
): LibraryRecord {
  if (kept !== undefined) return kept;
  return {
    version: trust.library.version,
    metadata: trust.library.bytes.toString('utf8'),
    floor: 0,
    pins: Object.fromEntries(active.map(({ id, version }) => [id, version])),
    earlier: {},
    // A getter would be gone in the journal.
    templates: library.map((scenario) => ({
      scenario: { ...scenario },
      status: 'listed',
      by: 'cuebook',
      at: now(),
    })),
  };
}

export function libraryOf({ trust }: Pick<PlatformParts, 'trust'>, record: LibraryRecord): TemplateLibrary {
  const own = { version: record.version, bytes: Buffer.from(record.metadata) };
  // Of two with one version, the one that was signed with a root counts: the key of the other may be gone.
  const isNewer = trust.library.version >= own.version && !Buffer.from(trust.library.bytes).equals(own.bytes);
  const metadata = isNewer ? trust.library : own;
  const library = record.templates.filter(isListed).map(({ scenario }) => scenario);
  // What was signed anew with a root, away from the record, says itself what it lists.
  const signed = isNewer ? readLibrary(trust.targets, metadata.bytes) : undefined;
  const listed = signed?.ok ? library.filter(signed.value.lists) : library;
  return {
    metadata,
    library: listed,
    active: listed.filter(({ id, version }) => Object.hasOwn(record.pins, id) && record.pins[id] === version),
    record,
  };
}

const isListed = ({ status }: TemplateRecord): boolean => status === 'listed';
