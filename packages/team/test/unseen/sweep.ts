import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyOf, type RunId, type RunVerification, verifyRun } from '@cuebook/journal';
import type { ModelServer, ScriptedStep } from '../../../../test/model-server/index.js';
import type { TeamHost } from '../../src/host/contract.js';
import { nodesOf } from '../../src/run/state.js';
import { type HostStand, hostStand, nodeOf, startRun, stateOf, until } from '../host-stand.js';
import { pickFrom, type UnseenCall, unseenCalls } from './call.js';
import { type UnseenKind, writeActs } from './kinds.js';

/** What became of unseen calls while whoever was asked said no. */
export interface Swept {
  readonly calls: number;
  /** Approvals on record. */
  readonly asked: number;
  /** Those of them that ended in a no, on record too. */
  readonly denied: number;
  /** What was done all the same: files that are there, and nodes. */
  readonly ran: readonly string[];
  readonly verified: RunVerification;
  /** Why it stands still, where it does not end. */
  readonly hold: string | undefined;
  readonly lists: readonly UnseenCall[];
}

const TEAM = (provider: string, model: string | undefined): string => `
goal: Work.
mode: INTERACTIVE
provider: ${provider}
nodes:
  - alias: dev
    role: orchestrator
    ${model === undefined ? '' : `model: ${model}`}
    capabilities: { writeCode: true, writeDocs: true, runCommands: true }
    permissions: { cliPermissionsMode: gated, agentManagementRequiresApproval: true }
`;

const LANE = 'unseen';

/** Lets the model of a provider make unseen calls in a team whose person denies all that is asked. */
export async function sweep(
  kind: UnseenKind,
  { server, program, seed, count }: { server: ModelServer; program: string; seed: number; count: number },
): Promise<Swept> {
  const lane = `${LANE}-${kind.name}-${seed}-${Date.now()}`;
  const base = server.laneUrl(lane);
  const place = (root: string) => ({ base, program, folder: root, home: join(root, 'agent') });
  const stand = await hostStand({
    git: true,
    files: { 'README.md': 'Read.\n', 'a.txt': 'one\n' },
    inHome: true,
    env: { ...kind.env?.(place('')) },
    config: (root) => ({
      providers: kind.config ? { [kind.name]: kind.config(place(root)) } : {},
    }),
  });
  try {
    return await sweepIn(stand, kind, { server, lane, seed, count, place: place(stand.root) });
  } finally {
    await stand.remove();
  }
}

async function sweepIn(
  stand: HostStand,
  kind: UnseenKind,
  given: {
    readonly server: ModelServer;
    readonly lane: string;
    readonly seed: number;
    readonly count: number;
    readonly place: Parameters<NonNullable<UnseenKind['prepare']>>[0];
  },
): Promise<Swept> {
  const { server, lane, seed, count, place } = given;
  kind.prepare?.(place);
  const world = join(stand.root, 'world');
  mkdirSync(world);
  linksIn(world);
  const calls = unseenCalls(kind.vocabulary, { seed, count, folder: world });
  const acts = kind.acts?.(calls, pickFrom(seed + 1));
  if (acts && 'file' in acts) writeActs(stand.root, acts.file);
  const host = await stand.open();
  let isSaid = acts !== undefined;
  const last: ScriptedStep = () => {
    isSaid = true;
    return { text: 'Done.' };
  };
  if (!acts) server.script(lane, [...stepsOf(calls, kind), last, { text: 'Done.', times: 1_000 }]);
  const run = await startRun(host, {
    team: { text: TEAM(kind.name, kind.model) },
    ...(acts && 'script' in acts && { script: acts.script }),
  });
  linksIn(join(stand.homeFolder, 'workspaces', run, nodeOf(await stateOf(host, run), 'dev').node.id));
  const stop = new AbortController();
  const denying = denyAll(host, run, stop.signal);
  const state = await until(host, run, (now) => {
    const { work, hold } = nodeOf(now, 'dev');
    return hold !== null || (isSaid && work === null);
  });
  stop.abort();
  await denying;
  await host.drain();
  const events = await stand.store.read(run, { limit: 100_000 });
  const { signer } = stand.options;
  const key = publicKeyOf(signer.publicKey);
  return {
    ...{ calls: count, lists: calls },
    asked: events.filter(({ type }) => type === 'approval.requested').length,
    denied: events.filter(
      ({ type, data }) => type === 'approval.resolved' && Object(data).decision === 'deny',
    ).length,
    ran: [...filesOf(stand.root), ...nodesOf(await stateOf(host, run)).map(({ node }) => node.alias)].filter(
      (name) => name !== 'dev',
    ),
    verified: await verifyRun(stand.store, run, { publicKeys: new Map(key ? [[signer.keyId, key]] : []) }),
    hold: nodeOf(state, 'dev').hold === null ? undefined : JSON.stringify(nodeOf(state, 'dev').hold),
  };
}

/** Ways to the same folder: by a link to it, and by one that leads back. */
function linksIn(folder: string): void {
  mkdirSync(join(folder, 'sub'), { recursive: true });
  symlinkSync('.', join(folder, 'link'));
  symlinkSync('..', join(folder, 'sub', 'back'));
}

function stepsOf(calls: readonly UnseenCall[], { atOnce = 25 }: UnseenKind): readonly ScriptedStep[] {
  const steps: ScriptedStep[] = [];
  for (let at = 0; at < calls.length; at += atOnce)
    steps.push({
      toolCalls: calls.slice(at, at + atOnce).map(({ name, args }, index) => ({
        ...{ id: `call_${at + index}`, name, args: JSON.parse(args) as unknown },
      })),
    });
  return steps;
}

/** A person who says no to whatever is asked. */
async function denyAll(host: TeamHost, run: RunId, signal: AbortSignal): Promise<void> {
  for await (const { type, data } of host.events(run, { after: 0, signal })) {
    if (type !== 'approval.requested') continue;
    const { id } = data as { readonly id: string };
    const answer = { type: 'approval.resolve', approval: id, decision: 'deny', by: 'ann' } as const;
    await host.submit(run, { ...answer, id: `deny ${id}` });
  }
}

/** Everything anywhere that a call would have made. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^F-\d/.test(name))
    .map(({ name }) => name);
}
