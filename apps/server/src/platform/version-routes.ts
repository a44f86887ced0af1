import type { VERSION_ROUTES } from '@cuebook/api';
import { verifyVersion } from '@cuebook/bundle';
import {
  compareVersions,
  decideVersion,
  findLibrary,
  joinLists,
  type LibraryError,
  listAgents,
  type PlatformParts,
  pinVersion,
  proposeVersion,
  publishLibrary,
  requestLibrary,
  retireVersion,
  rollBackVersion,
  type TryCases,
  versionName,
  viewVersions,
} from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';
import { badField, type HttpError, notFound } from '../http/error.js';
import type { RouteGroup } from '../http/group.js';
import { done } from './answer.js';
import { maySee } from './may-see.js';

/** The routes of the library. */
export const versionHandlers = (
  platform: PlatformParts,
  tryCases: TryCases | undefined,
): RouteGroup<typeof VERSION_ROUTES>['handlers'] => ({
  listVersions: async (_, { by }) => {
    const seen = (await listAgents(platform)).filter((record) => maySee(by, record));
    return ok({ versions: viewVersions(await findLibrary(platform), seen) });
  },
  proposeVersion: async ({ params: { scenario: id }, body: { cases, ...words } }, { by }) => {
    const draft = { scenario: { id, ...words }, by: by.name, ...(cases === undefined ? {} : { cases }) };
    const proposed = await proposeVersion(platform, draft);
    if (!proposed.ok) return refused(proposed.error);
    const { scenario, status } = proposed.value;
    return ok({ scenario: scenario.id, version: scenario.version, status });
  },
  verifyVersion: async ({ params: { scenario: id, version } }) => {
    const { objects, trust } = platform;
    const found = await verifyVersion({ objects, root: trust.root.bytes }, { id, version });
    if (!found.ok && found.error.code === 'E_OBJECT' && found.error.reason === 'not-found')
      return fail(NO_VERSION);
    const verification = found.ok
      ? ({ ok: true, template: found.value.scenario.template, proof: found.value.proof } as const)
      : ({ ok: false, code: found.error.code, reason: String(found.error.reason) } as const);
    return ok({ version: versionName({ id, version }), verification });
  },
  diffVersion: async ({ params: { scenario: id, version }, query: { against } }, { by }) => {
    const { record, active } = await findLibrary(platform);
    const find = (wanted: number | undefined) =>
      record.templates.find(({ scenario }) => scenario.id === id && scenario.version === wanted)?.scenario;
    const after = find(version);
    const before = find(against ?? active.find((scenario) => scenario.id === id)?.version) ?? after;
    if (after === undefined || before === undefined) return fail(NO_VERSION);
    const seen = (await listAgents(platform)).filter((each) => maySee(by, each));
    const { diff, ...rest } = compareVersions(before, after, seen);
    const params = diff.params.map(({ path, ...values }) => ({ path, ...(values as object) }));
    return ok({ ...rest, same: diff.same, obligations: diff.obligations, params });
  },
  approveVersion: async ({ params: { scenario, version } }, { by }) =>
    settled(await decideVersion(platform, { scenario, version, approve: true, by: by.name, tryCases })),
  rejectVersion: async ({ params: { scenario, version }, body: { reason } }, { by }) =>
    settled(await decideVersion(platform, { scenario, version, approve: false, reason, by: by.name })),
  getLibraryRequest: async () => ok(requestLibrary(platform, await findLibrary(platform))),
  publishLibrary: async ({ body: { others = [], ...body } }, { by }) => {
    const joined = joinLists([body, ...others.map((metadata) => ({ ...body, metadata }))]);
    if (!joined.ok) return refused(joined.error);
    const published = await publishLibrary(platform, joined.value, by.name);
    return published.ok ? published : refused(published.error);
  },
  pinVersion: async ({ params: { scenario }, body: { version } }, { by }) =>
    pinned(await pinVersion(platform, { scenario, version, by: by.name })),
  rollBackVersion: async ({ params: { scenario }, body: { from } }, { by }) =>
    pinned(await rollBackVersion(platform, { scenario, from, by: by.name })),
  retireVersion: async ({ params: { scenario, version } }, { by }) =>
    settled(await retireVersion(platform, { scenario, version, by: by.name })),
});

/** What does not fit a version is told by its place. */
function refused(error: object): Result<never, HttpError> {
  const { reason, problems = [] } = error as Partial<LibraryError>;
  if (reason === 'cases-fail')
    return fail({ status: 409, code: 'E_LIBRARY', message: `Its test cases fail: ${problems.join('; ')}` });
  if (reason !== 'does-not-fit') return done<never>(fail(error), 'The library') as Result<never, HttpError>;
  const [first = 'it does not fit'] = problems;
  const [, field = 'template', message = first] = /^([a-z]+):? (.*)$/s.exec(first) ?? [];
  return fail(badField(field, message));
}

const settled = (result: Result<unknown, object>): Result<{ done: true }, HttpError> =>
  result.ok ? ok({ done: true }) : refused(result.error);

const pinned = (
  result: Result<
    { readonly scenario: string; readonly from: number | undefined; readonly version: number },
    object
  >,
): Result<{ scenario: string; from?: number; version: number }, HttpError> => {
  if (!result.ok) return refused(result.error);
  const { scenario, from, version } = result.value;
  return ok({ scenario, version, ...(from === undefined ? {} : { from }) });
};

const NO_VERSION = notFound('E_LIBRARY', 'There is no such version.');
