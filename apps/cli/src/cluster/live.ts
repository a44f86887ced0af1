import { createKubeClient, createTransport, type KubeObject } from '@cuebook/controller';
import { memorySource } from '@cuebook/files';
import { type Manifests, manifestProfileOf, type Overlay, overlayManifests } from '@cuebook/manifest';
import type { AgentGroup } from '@cuebook/operator';
import { nearest } from '@cuebook/prompt';
import { type Call, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { type Bench, openBenchAt } from '../project/bench.js';
import { projectOrHere } from '../project/find.js';
import { readTexts } from '../project/manifests.js';
import { requireFile } from '../project/named-file.js';
import { type CalledTarget, requireTarget } from '../project/target.js';
import { liveName } from './is-live.js';
import { reachCluster } from './reach.js';

/** A cluster as it is, and as it would be with the files that a call names. */
export interface OpenedCluster {
  readonly bench: Bench;
  readonly before: Overlay;
  readonly after: Overlay;
  /** The namespace of the call. */
  readonly namespace: string;
  /** Names of the files that were given. */
  readonly files: ReadonlySet<string>;
}

/** Reads the cluster that a call means, and lays the manifests of `-f` over it. */
export async function openLive(call: Pick<Call, 'flags' | 'io'>): Promise<OpenedCluster> {
  const { flags, io } = call;
  const { AGENT_GROUPS, readCluster } = await import('@cuebook/operator');
  const group = flagValue(flags, 'group') ?? 'cuebook.dev';
  if (!Object.hasOwn(AGENT_GROUPS, group))
    throw usage(`--group takes ${Object.keys(AGENT_GROUPS).join(' or ')}, not ${group}`);
  const bench = await openBenchAt(await projectOrHere(flags, io), io, []);
  const texts = await readTexts(flagValues(flags, 'file'), bench.folder, io);
  const reached = await reachCluster(call);
  const namespace = flagValue(flags, 'namespace') ?? reached.namespace;
  const own = overlayManifests(texts, [], { namespace });
  const named = [...own.said].map((key) => key.slice(key.indexOf(' ') + 1).split('/')[0] as string);
  const transport = createTransport(reached.connection);
  try {
    const read = await readCluster(createKubeClient(transport), {
      group: group as AgentGroup,
      ...(isOn(flags, 'all-namespaces') ? {} : { namespaces: [...new Set([namespace, ...named])] }),
      more: [...own.objects].flatMap(([key, each]) => (key.startsWith('Agent ') ? [each as KubeObject] : [])),
    });
    if (!read.ok) {
      const message = `The cluster cannot be read: ${read.error.message}`;
      throw new Failure('E_CLUSTER', message, { exit: 3 });
    }
    for (const [secret, why] of read.value.unread)
      io.err(`The Secret ${secret} cannot be read, so what is said here does not know its words: ${why}\n`);
    const { objects } = read.value;
    return {
      ...{ bench, namespace, files: new Set(texts.keys()) },
      before: overlayManifests([], objects, { namespace }),
      after: overlayManifests(texts, objects, { namespace }),
    };
  } finally {
    transport.close();
  }
}

/** The bench on which Agents of these objects are composed. */
export const benchOf = (bench: Bench, manifests: Manifests): Bench => ({
  ...bench,
  profiles: [manifestProfileOf(manifests)],
  project: requireFile(memorySource({}), '.'),
});

/** The Agent that a call means: by its name, by `--agent`, or the only one of the files. */
export function requireLiveAgent({ args, flags }: Pick<Call, 'args' | 'flags'>, live: OpenedCluster): string {
  const { agents, partial } = live.after.manifests;
  const said = [...live.after.said].flatMap((key) =>
    key.startsWith('Agent ') ? [key.slice('Agent '.length)] : [],
  );
  const text = liveName(args[0]) ?? flagValue(flags, 'agent');
  if (text === undefined) {
    const [only] = said;
    if (only !== undefined && said.length === 1) return only;
    throw usage(
      said.length === 0
        ? 'Missing Agent: name it as agent/NAME, or its manifest with -f'
        : `The manifests hold ${said.length} Agents: name one with --agent. There are ${said.join(', ')}`,
    );
  }
  const name = text.includes('/') ? text : `${live.namespace}/${text}`;
  if (agents.has(name) || partial.has(name)) return name;
  const meant = nearest(name, agents.keys());
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new Failure('E_TARGET', `No Agent of the cluster is called "${name}".${advice}`);
}

/** What a call works on: an Agent of a cluster, as the files of the call would have it. */
export async function openLiveCalled(call: Pick<Call, 'args' | 'flags' | 'io'>): Promise<{
  readonly called: CalledTarget;
  readonly live: OpenedCluster;
  readonly name: string;
}> {
  if (call.args[0] !== undefined && liveName(call.args[0]) === undefined)
    throw usage(`With --cluster an Agent is named agent/NAME, not ${call.args[0]}`);
  const live = await openLive(call);
  const name = requireLiveAgent(call, live);
  const bench = benchOf(live.bench, live.after.manifests);
  return { called: await requireTarget(bench, `manifest:${name}`), live, name };
}
