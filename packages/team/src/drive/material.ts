import type { Outcome } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { Workspaces } from '@cuebook/workspace';
import type { TeamToolArgs } from '../call/tools.js';
import { workRights } from '../capability/work-rights.js';
import { hashOfRef } from '../graph/material.js';
import { findNode } from '../graph/reference.js';
import { inFolder } from '../graph/workspace.js';
import type { ContextPack } from '../prompt/context-pack.js';
import type { Material } from '../prompt/material.js';
import { type NodeWorkState, nodesOf, type TeamState } from '../run/state.js';
import type { Artifacts } from './artifacts.js';
import type { Packs } from './packs.js';

/** Where the texts of a run are, and the folders of its nodes. */
export interface MaterialParts {
  readonly artifacts: Pick<Artifacts, 'find'>;
  readonly packs: Pick<Packs, 'keep'>;
  readonly workspaces: Pick<Workspaces, 'callTool'>;
}

/** Carries out a tool that reads what others have made, or keeps a text for them. */
export async function callMaterial(
  parts: MaterialParts,
  at: { readonly run: RunId; readonly state: TeamState; readonly signal: AbortSignal },
  { tool, input }: { readonly tool: string; readonly input: JsonValue },
): Promise<Outcome> {
  if (tool === 'read_artifact') return readArtifact(parts, at.run, input as TeamToolArgs<'read_artifact'>);
  if (tool === 'keep_context') return keepContext(parts, at.run, input as TeamToolArgs<'keep_context'>);
  const { node: named, path = '.' } = input as TeamToolArgs<'read_workspace'>;
  const host = findNode(
    nodesOf(at.state).map(({ node }) => node),
    named,
  );
  if (host === undefined) return refused(`There is no node ${JSON.stringify(named)} in this run.`);
  // Nobody writes through this: whatever the node may do, a folder is looked at as one that only reads.
  const place = { run: at.run, node: inFolder(host) };
  const call = { input: { path }, rights: workRights(host, 'PLANNING') };
  const file = await parts.workspaces.callTool(place, { ...call, tool: 'read_file' }, { signal: at.signal });
  if (file.ok) return { ok: true, output: file.value };
  const listed = await parts.workspaces.callTool(
    place,
    { ...call, tool: 'list_files' },
    { signal: at.signal },
  );
  return listed.ok ? { ok: true, output: listed.value } : refused(file.error.message);
}

async function readArtifact(
  { artifacts }: MaterialParts,
  run: RunId,
  { ref, from = 0 }: TeamToolArgs<'read_artifact'>,
): Promise<Outcome> {
  const text = await artifacts.find(run, hashOfRef(ref) ?? ref.trim());
  if (text === undefined)
    return refused(
      `This run has nothing called ${JSON.stringify(ref)}. Name a reference that you were told.`,
    );
  const part = text.slice(from, from + PAGE);
  const end = from + part.length;
  const more = end < text.length ? `\n(${text.length - end} characters more: read on with from=${end})` : '';
  return { ok: true, output: `${part}${more}` };
}

async function keepContext(
  { packs }: MaterialParts,
  run: RunId,
  { goal, done = [], constraints = [], docs = [], files = [], facts = [] }: TeamToolArgs<'keep_context'>,
): Promise<Outcome> {
  const pack = {
    ...{ by: 'agent', goal, definitionOfDone: done, constraints, repoFacts: facts },
    ...{ docRefs: docs, relevantFiles: files, inputs: [], artifacts: [] },
  } as Omit<ContextPack, 'packId'>;
  const { ref, tokens, leftOut } = await packs.keep(run, pack);
  return { ok: true, output: JSON.stringify({ ref, tokens, leftOut }) };
}

/** What the references of messages and handoffs stand for, each once, as far as there is room; packs are told in a form of their own. */
export async function materialsOf(
  artifacts: Pick<Artifacts, 'find'>,
  run: RunId,
  { inbox, messages }: Pick<NodeWorkState['taken'], 'inbox' | 'messages'>,
  kinds: Readonly<Record<string, string>>,
): Promise<readonly Material[]> {
  const named = [
    ...messages.flatMap(({ contextRef }) => contextRef ?? []),
    ...inbox.flatMap(({ payload, contextRef }) => [
      ...(payload.artifacts ?? []).map(({ ref }) => ref),
      ...(contextRef === undefined ? [] : [contextRef]),
    ]),
  ];
  const hashes = new Set(named.flatMap((ref) => hashOfRef(ref) ?? []));
  const found: Material[] = [];
  let room = ALL_TOLD;
  for (const hash of hashes) {
    const kind = Object.hasOwn(kinds, hash) ? kinds[hash] : undefined;
    const text = kind === undefined ? undefined : await artifacts.find(run, hash);
    if (kind === undefined || text === undefined) continue;
    const told = kind === 'contextpack' ? text : text.slice(0, Math.min(ONE_TOLD, room));
    if (kind !== 'contextpack') room -= told.length;
    found.push({ hash, kind, text: told, chars: text.length });
  }
  return found;
}

const refused = (message: string): Outcome => ({ ok: false, error: { code: 'E_ARTIFACT_UNKNOWN', message } });

/** Characters of an artifact that one read gives. */
const PAGE = 30_000;
/** Characters of one artifact that are told with a handoff, and of all together. */
const ONE_TOLD = 20_000;
const ALL_TOLD = 60_000;
