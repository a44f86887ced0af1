import type { AnswerOf, CheckedRequest, FRAGMENT_ROUTES } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import {
  changedAgents,
  type Manifests,
  manifestProfileOf,
  promptLibraries,
  readManifests,
  withEdits,
} from '@cuebook/manifest';
import { type ComposedTarget, composeTarget } from '@cuebook/profile';
import { fail, ok, type Prompt, type Result, renderDocument } from '@cuebook/prompt';
import { diffPrompts } from '@cuebook/prompt/diff';
import type { HttpError } from '../http/error.js';
import type { Immutable } from '../http/group.js';
import { editedSource } from './edited-source.js';
import type { Library } from './library.js';

/** Reads the objects of a cluster when somebody looks; answers why it cannot. */
export type ReadClusterFragments = () => Promise<Result<Manifests, string>>;

/** Where fragments are read. */
export interface FragmentParts {
  readonly library: Library;
  readonly cluster: ReadClusterFragments | undefined;
}

type Routes = typeof FRAGMENT_ROUTES;
type Previewed = AnswerOf<Routes['previewFragments']>;

/** The fragments, each with who includes it. */
export async function listFragments(
  { library, cluster }: FragmentParts,
  { query: { from } }: CheckedRequest<Routes['listFragments']>,
): Promise<Result<Immutable<AnswerOf<Routes['listFragments']>>, HttpError>> {
  const read = await manifestsOf(library, cluster, from);
  if (!read.ok) return read;
  return ok({ hasCluster: cluster !== undefined, libraries: [...promptLibraries(read.value)] });
}

/** What a change would do to every Agent. */
export async function previewFragments(
  { library, cluster }: FragmentParts,
  { body: { from, edits } }: CheckedRequest<Routes['previewFragments']>,
): Promise<Result<Previewed, HttpError>> {
  const read = await manifestsOf(library, cluster, from);
  if (!read.ok) return read;
  const [before, after] = [read.value, withEdits(read.value, edits)];
  const changes = changedAgents(before, after);
  const agents: Previewed['agents'] = [];
  for (const change of changes.slice(0, MAX_TOLD)) {
    const [old, now] = await Promise.all(
      [before, after].map((manifests) => composedIn(library, manifests, change.agent)),
    );
    agents.push({ ...change, ...compared(old, now) });
  }
  return ok({ agents, more: changes.length - agents.length });
}

/** A person looks at so many one by one. */
const MAX_TOLD = 200;

async function manifestsOf(
  library: Library,
  cluster: ReadClusterFragments | undefined,
  from: 'project' | 'cluster',
): Promise<Result<Manifests, HttpError>> {
  if (from === 'project')
    return ok(await readManifests(editedSource(library.files), { folder: 'manifests' }));
  if (cluster === undefined) return fail({ status: 404, code: 'E_CLUSTER', message: NO_CLUSTER });
  const read = await cluster();
  return read.ok ? read : fail({ status: 503, code: 'E_CLUSTER', message: read.error });
}

const NO_CLUSTER = 'This server was given no cluster. Start it with up --cluster.';

async function composedIn(
  library: Library,
  manifests: Manifests,
  agent: string,
): Promise<ComposedTarget | undefined> {
  const bench = {
    ...library,
    profiles: [manifestProfileOf(manifests)],
    project: editedSource(library.files),
  };
  const composed = await composeTarget(bench, `manifest:${agent}`);
  return composed.ok ? composed.value : undefined;
}

/** Both texts and what is demanded anew or no more. Confidential words are masked before anything is compared. */
function compared(old: ComposedTarget | undefined, now: ComposedTarget | undefined) {
  const [was, is] = [old && maskedPrompt(old.prompt), now && maskedPrompt(now.prompt)];
  const { obligations } =
    was && is ? diffPrompts({ prompt: was }, { prompt: is }) : { obligations: { added: [], dropped: [] } };
  const plain = ({ force, text }: { readonly force: string; readonly text: string }) => ({ force, text });
  return {
    before: was === undefined ? null : textOf(was),
    after: is === undefined ? null : textOf(is),
    added: obligations.added.map(plain),
    dropped: obligations.dropped.map(plain),
  };
}

const maskedPrompt = (prompt: Prompt): Prompt => ({
  ...prompt,
  blocks: renderDocument({
    ...{ profile: '', prompt, tokens: { total: 0, byBlock: {} } },
    reveal: !guard('fragments.mask', isConfidential(prompt)),
  }).blocks,
});

const isConfidential = ({ blocks }: Prompt): boolean =>
  blocks.some(({ spans }) => spans.some(({ secrecy }) => secrecy !== 'public'));

const textOf = ({ blocks }: Prompt): string =>
  blocks.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n');
