import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditRun } from '@cuebook/engine';
import type { RunId, StoredEvent } from '@cuebook/journal';
import { publicKeyOf, verifyRun } from '@cuebook/journal';
import { createTeamMachine } from '../../src/run/decide.js';
import { nodesOf, type TeamState } from '../../src/run/state.js';
import { hostStand, stateOf } from '../host-stand.js';
import { worldLines } from './scenario.js';

/** What a run came to, without what may differ from process to process: times, ids, the order of neighbours. */
export interface Account {
  readonly status: string;
  readonly result: unknown;
  readonly nodes: Readonly<Record<string, unknown>>;
  /** Settled effects, by node and kind. */
  readonly effects: Readonly<Record<string, number>>;
  readonly artifacts: readonly string[];
  /** The files of each workspace, with their content. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly world: readonly string[];
}

/** Reads the account of the run in a folder, and that its record is whole. */
export async function accountOf(root: string): Promise<Account & { readonly problems: readonly unknown[] }> {
  const stand = await hostStand({ root });
  const host = await stand.open();
  try {
    const [row] = await host.runs();
    const run = row?.run as RunId;
    const state = await stateOf(host, run);
    const events: StoredEvent[] = [];
    for (let page: readonly StoredEvent[] = []; ; ) {
      page = await stand.store.read(run, { after: events.at(-1)?.seq ?? 0 });
      events.push(...page);
      if (page.length === 0) break;
    }
    const { signer } = stand.options;
    const key = publicKeyOf(signer.publicKey);
    const keys = { publicKeys: new Map(key ? [[signer.keyId, key]] : []) };
    const machine = createTeamMachine({ resumes: () => true, nativeTools: () => true });
    const verified = await verifyRun(stand.store, run, keys);
    return {
      ...partsOf(state, events),
      files: filesOf(stand.homeFolder, run, state),
      world: worldLines(root),
      problems: [...verified.problems, ...(await auditRun(stand.store, machine, run))],
    };
  } finally {
    await stand.stopAll();
    await stand.store.close();
  }
}

function partsOf(state: TeamState, events: readonly StoredEvent[]): Omit<Account, 'files' | 'world'> {
  const aliases = new Map(nodesOf(state).map(({ node }) => [node.id, node.alias ?? node.id]));
  const named = (text: string): string =>
    [...aliases].reduce((sum, [id, alias]) => sum.replaceAll(id, alias), text);
  const nodes = nodesOf(state).map(
    ({ node, inbox, messages, results, hold, session, verification, work }) => {
      const told = results.map((result) =>
        'result' in result ? [result.tool, result.result.status] : result,
      );
      return [
        node.alias ?? '',
        { inbox, messages, told, hold, session: session.id, verification, work },
      ] as const;
    },
  );
  const kinds = new Map<string, string>();
  const effects: Record<string, number> = {};
  for (const { type, data } of events) {
    const { id, kind, lane, input } = data as Record<string, string> & { input?: { tool?: string } };
    if (type === 'effect.intended') {
      const node = aliases.get(String(lane).split('/')[1] ?? '');
      kinds.set(String(id), `${node} ${kind}${input?.tool ? ` ${input.tool}` : ''}`);
    }
    const what = type === 'effect.settled' ? kinds.get(String(id)) : undefined;
    if (what !== undefined) effects[what] = (effects[what] ?? 0) + 1;
  }
  const artifacts = events.flatMap(({ type, data }) =>
    type === 'artifact.kept' ? [(data as { readonly hash: string }).hash] : [],
  );
  return JSON.parse(
    named(
      JSON.stringify({
        status: state.status,
        result: state.result,
        nodes: Object.fromEntries(nodes),
        effects: Object.fromEntries(Object.entries(effects).sort()),
        artifacts: artifacts.sort(),
      }),
    ),
  );
}

function filesOf(home: string, run: string, state: TeamState): Account['files'] {
  const all = nodesOf(state).map(({ node }) => {
    const folder = join(home, 'workspaces', run, node.id);
    const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
    const texts = names.sort().flatMap((name) => {
      const isGit = name === '.git' || name.startsWith('.git/');
      return isGit ? [] : [[name, readText(join(folder, name))] as const];
    });
    return [node.alias ?? '', Object.fromEntries(texts)] as const;
  });
  return Object.fromEntries(all);
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '(folder)';
  }
};
