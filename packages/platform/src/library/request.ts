import {
  joinSignatures,
  type KeySigner,
  libraryMetadata,
  readJson,
  readOwnLibrary,
  SCENARIOS,
  type Scenario,
  type SignedMetadata,
  scenarioProblems,
  scenarioSchema,
  versionProblems,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { PlatformParts } from '../desk.js';
import type { TemplateLibrary } from './library.js';
import { type LibraryError, type TemplateRecord, versionName } from './record.js';

/** What goes to the machine of the library's key, as a file: everything that is to be signed, in full. */
export interface LibraryRequest {
  readonly format: 'cuebook-library-request-1';
  readonly platform: string;
  /** Of the list that is to be signed. */
  readonly version: number;
  readonly expires: number;
  /** The list that is signed now, so that the signer can tell what is new. */
  readonly before: string;
  readonly templates: readonly Scenario[];
  /** Test cases of versions, by name such as `greeting@2`. */
  readonly cases: Readonly<Record<string, string>>;
}

export const requestSchema: z.ZodType<LibraryRequest> = z.strictObject({
  format: z.literal('cuebook-library-request-1'),
  platform: z.string().min(1).max(128),
  version: z.int().min(2),
  expires: z.int().min(0),
  before: z.string(),
  templates: z.array(scenarioSchema).min(1).max(2000),
  cases: z.record(z.string(), z.string()),
});

/** What comes back. */
export const signatureSchema = z.strictObject({
  format: z.literal('cuebook-library-signature-1'),
  platform: z.string().min(1).max(128),
  /** The signed list as agents read it. */
  metadata: z.string(),
});

export type LibrarySignature = z.infer<typeof signatureSchema>;

/** The next list: what is listed and does not retire, and what was approved. Without changes it renews the list. */
export function requestLibrary(
  { name, now }: Pick<PlatformParts, 'name' | 'now'>,
  { metadata, record }: TemplateLibrary,
): LibraryRequest {
  const chosen = record.templates.filter(
    ({ status, retiring }) => status === 'approved' || (status === 'listed' && retiring !== true),
  );
  return {
    format: 'cuebook-library-request-1',
    platform: name,
    version: Math.max(metadata.version, record.version) + 1,
    expires: now() + YEAR,
    before: metadata.bytes.toString('utf8'),
    templates: chosen.map(({ scenario }) => ({ ...scenario })).sort(inOrder),
    cases: Object.fromEntries(
      chosen.filter(hasCases).map((each) => [versionName(each.scenario), each.cases]),
    ),
  };
}

/** Reads a file that was carried here: nothing of it is trusted before it was looked at. */
export function readLibraryFile<Schema extends z.ZodType>(
  bytes: Uint8Array,
  schema: Schema,
): Result<z.infer<Schema>, LibraryError> {
  const read = readJson(bytes, { bytes: FILE_LIMIT });
  const parsed = schema.safeParse(read.ok ? read.value : undefined);
  return parsed.success ? ok(parsed.data) : refuse('bad-file', 'the file');
}

/** What a signature would change, as the signer alone can tell it. */
export interface LibraryChanges {
  readonly added: readonly Scenario[];
  /** Names such as `greeting@1`. */
  readonly retired: readonly string[];
  /** Whether this key signed the list before: if not, everything counts as added. */
  readonly isOwn: boolean;
}

/**
 * What a request changes against the list that the same key signed before. A version that is listed never changes its
 * words: a request in which one does is refused, whoever wrote it.
 */
export function changesOf(request: LibraryRequest, signer: KeySigner): Result<LibraryChanges, LibraryError> {
  const before = readOwnLibrary(signer, Buffer.from(request.before));
  const named = request.templates.map(versionName);
  const twice = named.find((name, at) => named.indexOf(name) !== at);
  if (twice !== undefined) return refuse('bad-file', twice);
  const added: Scenario[] = [];
  for (const scenario of request.templates) {
    if (before.ok && before.value.lists(scenario)) continue;
    if (guard('library.version-stays', before.ok && before.value.names(scenario)))
      return refuse('changed-version', versionName(scenario));
    const problems = problemsOf(scenario, request);
    if (problems.length > 0) return refuse('does-not-fit', versionName(scenario), problems);
    added.push(scenario);
  }
  const retired = before.ok ? namesIn(request.before).filter((name) => !named.includes(name)) : [];
  return ok({ added, retired, isOwn: before.ok });
}

/** Signs a request. Pure: it runs on a machine that has the key and nothing else. */
export function signLibrary(request: LibraryRequest, signer: KeySigner): LibrarySignature {
  const { platform, version, expires, templates } = request;
  const { bytes } = libraryMetadata(templates, { version, expires, signers: [signer] });
  return { format: 'cuebook-library-signature-1', platform, metadata: bytes.toString('utf8') };
}

/** One list with the signatures of several holders. They must have signed the same list, byte for byte. */
export function joinLists(
  given: readonly [LibrarySignature, ...LibrarySignature[]],
): Result<LibrarySignature, LibraryError> {
  const [first, ...others] = given;
  if (given.some(({ metadata }) => !isMetadata(metadata))) return refuse('bad-file', 'the file');
  let joined: SignedMetadata | undefined = { version: 0, bytes: Buffer.from(first.metadata) };
  for (const { platform, metadata } of others)
    joined =
      joined === undefined || platform !== first.platform
        ? undefined
        : joinSignatures(joined, { version: 0, bytes: Buffer.from(metadata) });
  if (joined === undefined) return refuse('other-list', 'the files');
  return ok({ ...first, metadata: joined.bytes.toString('utf8') });
}

function isMetadata(text: string): boolean {
  const read = readJson(Buffer.from(text), { bytes: FILE_LIMIT });
  return metadataSchema.safeParse(read.ok ? read.value : undefined).success;
}

const metadataSchema = z.object({
  signatures: z.array(z.strictObject({ keyid: z.string().max(128), sig: z.string().max(1024) })).max(64),
  signed: z.record(z.string(), z.unknown()),
});

function problemsOf(scenario: Scenario, { templates }: LibraryRequest): readonly string[] {
  const [first] = [...templates].filter(({ id }) => id === scenario.id).sort((a, b) => a.version - b.version);
  const base = SCENARIOS.get(scenario.id) ?? first ?? scenario;
  return [...scenarioProblems(scenario), ...versionProblems(base, scenario)];
}

/** The names of the versions that a list has. */
function namesIn(metadata: string): readonly string[] {
  const { signed } = JSON.parse(metadata) as { signed: { targets: Record<string, unknown> } };
  return Object.keys(signed.targets).map((path) => path.replace(/^templates\/(.+)\/v(\d+)\.json$/, '$1@$2'));
}

const inOrder = (a: Scenario, b: Scenario): number =>
  a.id === b.id ? a.version - b.version : a.id < b.id ? -1 : 1;

const hasCases = (template: TemplateRecord): template is TemplateRecord & { readonly cases: string } =>
  template.cases !== undefined;

const refuse = (reason: LibraryError['reason'], what: string, problems?: readonly string[]) =>
  fail<LibraryError>({ code: 'E_LIBRARY', reason, what, ...(problems === undefined ? {} : { problems }) });

const YEAR = 365 * 24 * 60 * 60 * 1000;
const FILE_LIMIT = 64 * 1024 * 1024;
