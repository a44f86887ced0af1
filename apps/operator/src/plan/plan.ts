import { type KubeObject, keyOf } from '@cuebook/controller';
import { collectManifests, plainObject, referencesOf, resolveAgent } from '@cuebook/manifest';
import { canonical, sha256 } from './hash.js';
import { type Told, toldFragments } from './told.js';

/** The objects that an Agent's message is resolved from, as far as they are there. */
export type FindSource = (kind: 'ConfigMap' | 'Secret', key: string) => KubeObject | undefined;

export interface AgentPlanOptions {
  readonly find: FindSource;
  /** The image of agents that name none. */
  readonly image?: string | undefined;
}

/** What an Agent comes to. */
export type AgentPlan =
  | {
      readonly type: 'agent';
      /** The text of the configuration that the agent starts with. */
      readonly config: string;
      readonly configHash: string;
      readonly image: string;
      readonly replicas: number;
      readonly prompt: Told;
    }
  /** It brings its own container: nothing of it is ours. */
  | { readonly type: 'other' }
  | { readonly type: 'wrong'; readonly message: string };

/**
 * Resolves an Agent. Pure: the same objects give the same bytes, and the same mistake the same words, whatever order the
 * server told them in.
 */
export function planAgent(object: KubeObject, { find, image }: AgentPlanOptions): AgentPlan {
  const key = keyOf(object);
  const own = plainObject(`agent ${key}`, object);
  const alone = collectManifests([own]);
  const named = alone.agents.get(key) ?? alone.partial.get(key);
  if (named === undefined) {
    const wrong = alone.problems.find(({ diagnostic }) => diagnostic.severity === 'error');
    return wrong === undefined ? { type: 'other' } : { type: 'wrong', message: wrong.diagnostic.message };
  }
  const found = referencesOf(named).flatMap(({ kind, namespace, name }) => {
    const source = find(kind, `${namespace}/${name}`);
    return source === undefined ? [] : [source];
  });
  const { agents, problems, texts } = collectManifests([
    own,
    ...found.map((each) => plainObject(`${each.kind} ${keyOf(each)}`, each)),
  ]);
  const wrong = problems.find(({ diagnostic }) => diagnostic.severity === 'error');
  const agent = agents.get(key);
  if (wrong !== undefined || agent === undefined)
    return { type: 'wrong', message: wrong?.diagnostic.message ?? 'The Agent cannot be read.' };
  const resolved = resolveAgent(agent, texts);
  if (!resolved.ok) return { type: 'wrong', message: resolved.diagnostic.message };
  const { description, declarative, skills } = agent.spec;
  const {
    deployment,
    systemMessage: _,
    systemMessageFrom: __,
    promptTemplate: ___,
    ...rest
  } = Object(declarative) as Declarative;
  const config = canonical({
    name: agent.name,
    namespace: agent.namespace,
    description: description ?? '',
    instruction: resolved.text,
    ...rest,
    ...(skills == null ? {} : { skills }),
  });
  const used = deployment?.image ?? image;
  if (Buffer.byteLength(config) > MAX_CONFIG) return { type: 'wrong', message: TOO_LARGE };
  if (used === undefined) return { type: 'wrong', message: NO_IMAGE };
  return {
    type: 'agent',
    config,
    configHash: sha256(config),
    image: used,
    replicas: deployment?.replicas ?? 1,
    prompt: toldFragments(resolved, found),
  };
}

interface Declarative {
  readonly deployment?: { readonly image?: string; readonly replicas?: number } | null;
  readonly [field: string]: unknown;
}

/** A Secret has at most 1 MiB, and something beside the configuration is in it. */
const MAX_CONFIG = 1024 * 1024 - 16 * 1024;
const TOO_LARGE = `The configuration with the resolved prompt is larger than ${MAX_CONFIG} bytes, which is more than a Secret takes. Shorten the prompt or include less.`;
const NO_IMAGE =
  'No image for the agent: set spec.declarative.deployment.image, or start the operator with --agent-image.';
