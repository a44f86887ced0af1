import { createHash } from 'node:crypto';

/**
 * Ids of agents, topics and tasks become parts of object keys and of policies, so they hold nothing that a
 * path, a pattern or a disk that ignores letter case could read differently.
 */
export const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export const isId = (text: string): boolean => ID.test(text);

/** Where things lie in the object store. */
export const KEYS = {
  card: (agent: string) => `agents/all/${agent}.json`,
  bundle: (agent: string) => `agents/prompts/${agent}/bundle.json`,
  /** Roots lie with what is shared: one prefix opens all of it, and nothing of an agent's own is below it. */
  root: (version: number) => `trust/shared/${version}.root.json`,
  /** Metadata that is the same for every agent and names none. */
  shared: (role: string, version: number) => `trust/shared/${version}.${role}.json`,
  /** A version of a scenario, readable by every agent for as long as there is a store. */
  template: (scenario: string, version: number) => `trust/shared/templates/${scenario}/v${version}.json`,
  /** Which metadata first listed it: see `verifyVersion`. */
  templateProof: (scenario: string, version: number) =>
    `trust/shared/templates/${scenario}/v${version}.proof.json`,
  timestamp: (agent: string) => `trust/agents/${agent}/timestamp.json`,
  /** Metadata that only this agent may read. */
  own: (agent: string, role: string, version: number) => `trust/agents/${agent}/${version}.${role}.json`,
  checkpoint: 'log/checkpoint.json',
  tile: (level: number, index: number, width: number) => `log/tiles/${level}/${index}/${width}.bin`,
  /** Written by the agent while it is awake. Shards keep listings short: two hexadecimal digits of a hash. */
  heartbeat: (agent: string) => `agents/heartbeats/${shardOf(agent)}/${agent}.last`,
  topic: (topic: string) => `topics/${topic}/manifest.json`,
  topicState: (topic: string) => `topics/${topic}/state.json`,
  message: (topic: string, agent: string, id: string) => `topics/${topic}/messages/${agent}/${id}.json`,
  request: (topic: string, agent: string, id: string) => `topics/${topic}/requests/${agent}/${id}.json`,
  /** What the platform decided about a request. */
  result: (topic: string, agent: string, id: string) => `topics/${topic}/results/${agent}/${id}.json`,
  task: (task: string) => `tasks/${task}/manifest.json`,
  /** Published by the platform from what an agent proposed under its own prefix. */
  proposal: (task: string) => `tasks/${task}/proposal.json`,
  /** Below it an agent keeps its part of a task. */
  taskFolder: (task: string, agent: string) => `tasks/${task}/agents/${agent}/`,
  /** What is in that folder, as the agent lists it. */
  taskIndex: (task: string, agent: string) => `tasks/${task}/agents/${agent}/index.json`,
  /** Whether an agent that may see a task takes part in it; written once, before it is one of the participants. */
  taskAnswer: (task: string, agent: string) => `tasks/${task}/agents/${agent}/answer.json`,
  /** Written by the platform, certified, and readable by this agent alone. */
  told: (agent: string) => `agents/state/${agent}/`,
  places: (agent: string) => `agents/state/${agent}/places.json`,
  /** Ids sort by time. */
  feedback: (agent: string, id: string) => `agents/state/${agent}/feedback/${id}.json`,
  circle: (circle: string) => `circles/${circle}/manifest.json`,
  joinRequest: (circle: string, agent: string) => `circles/${circle}/join_requests/${agent}.json`,
} as const;

/** Names of targets in trust metadata that are no objects: they are checked by hash against parts of objects. */
export const TARGETS = {
  template: (scenario: string, version: number) => `templates/${scenario}/v${version}.json`,
  review: (agent: string, cardVersion: number) => `reviews/${agent}/card_v${cardVersion}.json`,
} as const;

/** The first byte of the sha256 of an id, in lower-case hexadecimal. */
export const shardOf = (agent: string): string =>
  createHash('sha256').update(agent).digest('hex').slice(0, 2);
