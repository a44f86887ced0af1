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
  root: (version: number) => `trust/${version}.root.json`,
  /** Metadata that is the same for every agent and names none. */
  shared: (role: string, version: number) => `trust/${version}.${role}.json`,
  timestamp: (agent: string) => `trust/agents/${agent}/timestamp.json`,
  /** Metadata that only this agent may read. */
  own: (agent: string, role: string, version: number) => `trust/agents/${agent}/${version}.${role}.json`,
  checkpoint: 'log/checkpoint.json',
  tile: (level: number, index: number, width: number) => `log/tiles/${level}/${index}/${width}.bin`,
} as const;

/** Names of targets in trust metadata that are no objects: they are checked by hash against parts of objects. */
export const TARGETS = {
  template: (scenario: string, version: number) => `templates/${scenario}/v${version}.json`,
  review: (agent: string, cardVersion: number) => `reviews/${agent}/card_v${cardVersion}.json`,
} as const;
