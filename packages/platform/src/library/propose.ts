import {
  isScenarioName,
  SCENARIOS,
  type Scenario,
  scenarioProblems,
  scenarioSchema,
  templateBytes,
  versionProblems,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from '../desk.js';
import { change, type RecordError, stateOf } from '../ledger.js';
import { recordOf } from './library.js';
import {
  LIBRARY,
  type LibraryError,
  type LibraryRecord,
  type TemplateRecord,
  versionName,
} from './record.js';

/** A version that somebody wants in the library. Its number is given here. */
export interface ProposedVersion {
  readonly scenario: Omit<Scenario, 'version'>;
  readonly cases?: string;
  readonly by: string;
}

/**
 * Puts a new version on record, waiting for a review. A scenario has one version at a time that is not signed yet: the
 * next one takes its place under a new number, so that `greeting@3` always names the same words and the same test
 * cases. Numbers only grow, also over drafts that were replaced. The same draft again changes nothing.
 */
export function proposeVersion(
  parts: PlatformParts,
  { scenario, cases, by }: ProposedVersion,
): Promise<Result<TemplateRecord, LibraryError | RecordError>> {
  const { id } = scenario;
  return change<LibraryRecord, TemplateRecord, LibraryError>(parts.store, LIBRARY, (kept) => {
    if (!isScenarioName(id)) return refuse('does-not-fit', id.slice(0, 64), ['id is no name of a scenario']);
    const record = recordOf(parts, kept);
    const own = record.templates.filter((template) => template.scenario.id === id);
    const open = own.find(isOpen);
    const version = lastNumber(record, id) + 1;
    const parsed = scenarioSchema.safeParse({ ...scenario, version });
    const problems = parsed.success
      ? [...scenarioProblems(parsed.data), ...contractProblems(record, parsed.data)]
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    if (guard('library.fits', problems.length > 0)) return refuse('does-not-fit', id, problems);
    const next = parsed.data as Scenario;
    if (open?.status === 'waiting' && open.by === by && open.cases === cases && isSame(open.scenario, next))
      return ok({ events: [], answer: open });
    if (own.some(({ scenario: known, status }) => status === 'listed' && isSame(known, next)))
      return refuse('same', id);
    const others = record.templates.filter((template) => template !== open);
    if (others.length >= MAX_TEMPLATES || (cases?.length ?? 0) > MAX_CASES) return refuse('too-many', id);
    const template: TemplateRecord = {
      scenario: next,
      status: 'waiting',
      by,
      at: parts.now(),
      ...(cases === undefined ? {} : { cases }),
    };
    return ok({
      events: [{ type: 'library.proposed', data: { by, scenario: id, version } }],
      state: {
        ...record,
        templates: [...others, template],
        numbers: { ...record.numbers, [id]: version },
      },
      answer: template,
    });
  });
}

/** A person's word about a version that waits. Nobody decides on their own. */
export interface VersionDecision {
  readonly scenario: string;
  /** The version that was read. */
  readonly version: number;
  readonly approve: boolean;
  readonly by: string;
  /** A rejection needs one. */
  readonly reason?: string;
  /** Runs test cases. Left out: a version that has some cannot be approved here. */
  readonly tryCases?: TryCases | undefined;
}

/** Runs the test cases of a version; answers what is wrong, a line each. */
export type TryCases = (scenario: Scenario, cases: string) => Promise<readonly string[]>;

/** The one rule for every way that leads here: who approves a version has seen its cases pass. */
export async function decideVersion(
  parts: PlatformParts,
  { scenario: id, version, approve, by, reason, tryCases }: VersionDecision,
): Promise<Result<TemplateRecord, LibraryError | RecordError>> {
  const what = versionName({ id, version });
  const waits = approve ? await findWaiting(parts, what) : undefined;
  const tried = waits?.cases === undefined ? [] : await tryCases?.(waits.scenario, waits.cases);
  if (guard('library.cases-run', tried === undefined)) return refuse('cases-not-run', what);
  if (guard('library.cases-pass', tried !== undefined && tried.length > 0))
    return refuse('cases-fail', what, tried);
  return change<LibraryRecord, TemplateRecord, LibraryError>(parts.store, LIBRARY, (kept) => {
    const record = recordOf(parts, kept);
    const found = record.templates.find(
      (template) => template.scenario.id === id && template.scenario.version === version,
    );
    if (found === undefined) {
      const isGone = Number.isSafeInteger(version) && version > 0 && version <= lastNumber(record, id);
      return refuse(isGone ? 'replaced' : 'unknown', what);
    }
    if (found.status !== 'waiting') return refuse('decided', what);
    // Handed in while this call began: nobody has read it, and its cases were not run.
    if (approve && waits === undefined) return refuse('unknown', what);
    if (guard('library.own-version', found.by === by)) return refuse('own-version', what);
    if (!approve && (reason ?? '').trim() === '') return refuse('no-reason', what);
    const decided: TemplateRecord = {
      ...found,
      status: approve ? 'approved' : 'rejected',
      decidedBy: by,
      ...(approve || reason === undefined ? {} : { reason: reason.slice(0, 2000) }),
    };
    const data = { by, scenario: id, version, ...(approve ? {} : { reason: decided.reason ?? '' }) };
    return ok({
      events: [{ type: approve ? 'library.approved' : 'library.rejected', data }],
      state: { ...record, templates: record.templates.map((each) => (each === found ? decided : each)) },
      answer: decided,
    });
  });
}

async function findWaiting(parts: PlatformParts, what: string): Promise<TemplateRecord | undefined> {
  const { templates } = recordOf(parts, await stateOf<LibraryRecord>(parts.store, LIBRARY));
  return templates.find(({ scenario, status }) => status === 'waiting' && versionName(scenario) === what);
}

/** The highest number that any words of a scenario ever had. */
function lastNumber({ templates, numbers = {} }: LibraryRecord, id: string): number {
  const known = templates
    .filter(({ scenario }) => scenario.id === id)
    .map(({ scenario }) => scenario.version);
  return Math.max(0, Object.hasOwn(numbers, id) ? (numbers[id] ?? 0) : 0, ...known);
}

/** Not in the signed list, and never was. */
const isOpen = ({ status }: TemplateRecord): boolean =>
  status === 'waiting' || status === 'approved' || status === 'rejected';

/** Agents are made for the first version: they hand in what it declares, and read what it promises. */
function contractProblems({ templates }: LibraryRecord, next: Scenario): readonly string[] {
  const first = templates
    .filter(
      ({ scenario, status }) => scenario.id === next.id && (status === 'listed' || status === 'retired'),
    )
    .map(({ scenario }) => scenario)
    .sort((a, b) => a.version - b.version)[0];
  const base = SCENARIOS.get(next.id) ?? first;
  return base === undefined ? [] : versionProblems(base, next);
}

const isSame = (a: Scenario, b: Scenario): boolean =>
  templateBytes({ ...a, version: 1 }).equals(templateBytes({ ...b, version: 1 }));

const refuse = (reason: LibraryError['reason'], what: string, problems?: readonly string[]) =>
  fail<LibraryError>({ code: 'E_LIBRARY', reason, what, ...(problems === undefined ? {} : { problems }) });

const MAX_TEMPLATES = 2000;
const MAX_CASES = 256 * 1024;
