import { ID, isTimeZone } from '@cuebook/bundle';
import type { Loaded } from '@cuebook/profile';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';

const limit = z.number().positive();

const members = z.strictObject({
  agent: z.string().regex(ID, 'is 1 to 64 of a-z, 0-9, dash and underscore'),
  /** The server of the platform; the agent shows its key there and gets credentials for the store. */
  platform: z.url({ protocol: /^https?$/ }).optional(),
  /** Or the folder of the object store, from here, where agent and platform share a machine. */
  store: z.string().min(1).optional(),
  /** The root that the agent starts its trust from, from here. */
  root: z.string().min(1).default('root.json'),
  /** The name of the platform, which is that of its transparency log. */
  log: z.string().min(1),
  /** The owner's time zone. */
  zone: z.string().refine(isTimeZone, 'is a time zone such as Europe/Paris').default('UTC'),
  report_hour: z.int().min(0).max(23).default(21),
  /** Between two looks. */
  poll_seconds: z.int().min(10).max(86_400).default(60),
  /** Of one day. */
  budget: z
    .strictObject({ turns: limit.optional(), tokens: limit.optional(), usd: limit.optional() })
    .default({}),
});

const schema = members.refine(
  ({ platform, store }) => (platform === undefined) !== (store === undefined),
  'names its platform or its store, one of the two',
);

/** Who an agent is and where its platform is: the file `agent.yaml` in its folder. It holds no words for prompts. */
export type AgentFile = z.infer<typeof schema>;

export const AGENT_FILE = 'agent.yaml';

/** Reads the file; every problem at once, each with its line. */
export function readAgentFile(text: string, file = AGENT_FILE): Loaded<AgentFile> {
  const yaml = readYaml(file, text, 'E_AGENT_FILE');
  return yaml.ok ? readShape(yaml.value, schema, 'E_AGENT_FILE') : yaml;
}
