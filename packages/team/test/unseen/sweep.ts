import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyOf, type RunId, type RunVerification, type StoredEvent, verifyRun } from '@cuebook/journal';
import type { ModelServer, ScriptedStep } from '../../../../test/model-server/index.js';
import type { TeamHost } from '../../src/host/contract.js';
import { nodesOf } from '../../src/run/state.js';
import { commitAll, type HostStand, hostStand, nodeOf, startRun, stateOf, until } from '../host-stand.js';
import { pickFrom, type UnseenCall, unseenCalls } from './call.js';
import { batches, type Place, type UnseenKind, writeActs } from './kinds.js';

/** What became of unseen calls while whoever was asked said no. */
export interface Swept {
  readonly calls: number;
  /** Approvals on record. */
  readonly asked: number;
  /** Which calls they show, by number, where no place of this machine hides it. */
  readonly shown: readonly number[];
  /** Those of them that ended in a no, on record too. */
  readonly denied: number;
  /** What was done all the same: files that are there, and nodes. */
  readonly ran: readonly string[];
  /** How calls ended, as far as that is on record. */
  readonly outcomes: readonly Outcome[];
  readonly verified: RunVerification;
  /** Why it stands still, where it does not end. */
  readonly hold: string | undefined;
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

export interface SweepOptions {
  readonly server: ModelServer;
  /** The real program, where the kind is one. */
  readonly program: string;
  readonly seed: number;
  readonly count: number;
  /** What the person says; no unless told. */
  readonly decision?: 'deny' | 'allow';
}

/** Lets the model of a provider make unseen calls in a team whose person denies all that is asked. */
export async function sweep(kind: UnseenKind, given: SweepOptions): Promise<Swept> {
  const { server, program } = given;
  const lane = `${LANE}-${kind.name}-${randomUUID()}`;
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
    return await sweepIn(stand, kind, { ...given, lane, place: place(stand.root) });
  } finally {
    await stand.remove();
  }
}

async function sweepIn(
  stand: HostStand,
  kind: UnseenKind,
  given: SweepOptions & { readonly lane: string; readonly place: Place },
): Promise<Swept> {
  const { server, lane, seed, count, place, decision = 'deny' } = given;
  kind.prepare?.(place);
  const world = join(stand.root, 'world');
  mkdirSync(world);
  linksIn(world);
  linksIn(stand.project);
  commitAll(stand.project);
  const calls = unseenCalls(kind.vocabulary, { seed, count, folder: world });
  const acts = kind.acts?.(calls, pickFrom(seed + 1));
  if (acts && 'file' in acts) writeActs(stand.root, acts.file);
  const host = await stand.open();
  let isSaid = acts !== undefined || kind.endsAtNo === true;
  const turns = acts?.turns ?? 1;
  const last: ScriptedStep = () => {
    isSaid = true;
    return { text: 'Done.' };
  };
  if (!acts) server.script(lane, [...stepsOf(calls), last, { text: 'Done.', times: 1_000 }]);
  const run = await startRun(host, {
    team: { text: TEAM(kind.name, kind.model) },
    ...(acts && 'script' in acts && { script: acts.script }),
  });
  const stop = new AbortController();
  const answering = answerAll(host, run, { decision, signal: stop.signal });
  const state = await until(host, run, (now) => {
    const { work, hold, lastTurn } = nodeOf(now, 'dev');
    return hold !== null || (isSaid && work === null && lastTurn >= turns);
  });
  stop.abort();
  await answering;
  await host.drain();
  const events = await stand.store.read(run, { limit: 100_000 });
  const asked = events.filter(({ type }) => type === 'approval.requested');
  const { signer } = stand.options;
  const key = publicKeyOf(signer.publicKey);
  return {
    calls: count,
    asked: asked.length,
    shown: asked.flatMap(({ data }) => {
      const [, file, alias] = /F-(\d+)|"n(\d+)"/.exec(JSON.stringify(Object(data).input)) ?? [];
      return file === undefined && alias === undefined ? [] : [Number(file ?? alias)];
    }),
    denied: events.filter(
      ({ type, data }) => type === 'approval.resolved' && Object(data).decision === 'deny',
    ).length,
    ran: [
      ...filesOf(stand.root),
      ...nodesOf(await stateOf(host, run)).map(({ node }) => node.alias ?? node.id),
    ].filter((name) => name !== 'dev'),
    outcomes: outcomesIn(events),
    verified: await verifyRun(stand.store, run, { publicKeys: new Map(key ? [[signer.keyId, key]] : []) }),
    hold: nodeOf(state, 'dev').hold === null ? undefined : JSON.stringify(nodeOf(state, 'dev').hold),
  };
}

/** Ways to the same folder: by a link to it, and by one that leads back. */
export function linksIn(folder: string): void {
  mkdirSync(join(folder, 'sub'), { recursive: true });
  symlinkSync('.', join(folder, 'link'));
  symlinkSync('..', join(folder, 'sub', 'back'));
}

const stepsOf = (calls: readonly UnseenCall[]): readonly ScriptedStep[] =>
  batches(calls).map((some) => ({
    toolCalls: some.map(({ name, args, file }) => ({
      ...{ id: `call_${file}`, name, args: JSON.parse(args) as unknown },
    })),
  }));

interface Outcome {
  readonly call: string;
  readonly isDone: boolean;
}

interface Recorded {
  /** Of the tools that an agent has of its own, and those that it calls in mid-turn. */
  readonly native?: readonly { readonly id: string; readonly isError?: boolean; readonly output?: string }[];
  readonly results?: readonly { readonly given: string; readonly result?: { readonly status: string } }[];
}

const NOT_DONE: ReadonlySet<string> = new Set(['refused', 'denied', 'error', 'unknown']);

function outcomesIn(events: readonly StoredEvent[]): readonly Outcome[] {
  return events.flatMap(({ type, data }) => {
    const recorded: Recorded | undefined =
      type === 'turn.closed'
        ? Object(data)
        : type === 'effect.settled'
          ? Object(data).outcome?.output
          : undefined;
    return [
      ...(recorded?.native ?? []).map(({ id, isError }) => ({ call: id, isDone: isError !== true })),
      ...(recorded?.results ?? []).flatMap(({ given, result }) =>
        result === undefined ? [] : [{ call: given, isDone: !NOT_DONE.has(result.status) }],
      ),
    ];
  });
}

/** A person who says the same to whatever is asked. */
async function answerAll(
  host: TeamHost,
  run: RunId,
  { decision, signal }: { readonly decision: 'deny' | 'allow'; readonly signal: AbortSignal },
): Promise<void> {
  for await (const { type, data } of host.events(run, { after: 0, signal })) {
    if (type !== 'approval.requested') continue;
    const { id } = data as { readonly id: string };
    const answer = { type: 'approval.resolve', approval: id, decision, by: 'ann' } as const;
    await host.submit(run, { ...answer, id: `${decision} ${id}` });
  }
}

/** Everything anywhere that a call would have made. */
export function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^F-\d/.test(name))
    .map(({ name }) => name);
}
