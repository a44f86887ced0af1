import { z } from 'zod';

/** Ids of nodes and agents: safe on a line of any block. */
const id = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]*$/,
    'an id starts with a letter or digit and holds letters, digits, . _ : -',
  );
const path = z.string().min(1).max(1000);
/** `1.1` or `1.1.2`; YAML reads it as a number where it has no quotes. */
const version = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^1\.1(\.\d+)?$/, 'the version is 1.1'));
const text = z.string().max(100_000);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(1000);
/** Points: a list of them, or one text with a point on each line. */
const points = z.union([text, list(text).min(1)]);

export const NODE_TYPES = ['step', 'decision', 'merge', 'end', 'subworkflow'] as const;

const node = z.strictObject({
  id,
  type: z.enum(NODE_TYPES),
  file: path,
  title: text.optional(),
  description: text.optional(),
  agentId: z.string().max(200).optional(),
  inputs: list(path).optional(),
  outputs: list(path).optional(),
});

const edge = z.strictObject({
  from: z.string().max(200),
  to: z.string().max(200),
  label: text.min(1),
  id: z.string().max(200).optional(),
  isDefault: z.boolean().default(false),
  conditionText: text.optional(),
  conditionExpr: z.record(z.string(), z.unknown()).optional(),
});

/** `workflow.graph.json` */
export const graphSchema = z.strictObject({
  schemaVersion: version,
  entryNodeId: z.string().max(200),
  nodes: list(node).min(1),
  edges: z.array(edge).max(5000),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const agentTools = z.strictObject({
  fs: z
    .strictObject({
      enabled: z.boolean().optional(),
      maxReadBytes: z.int().min(1).optional(),
      maxWriteBytes: z.int().min(1).optional(),
    })
    .optional(),
  mcp: z.strictObject({ enabled: z.boolean().optional(), allowedServers: list(id).optional() }).optional(),
});

/** Other keys are read by other programs; `check` says so. */
const menuItem = z.looseObject({
  description: text,
  trigger: text.optional(),
  triggers: list(text).optional(),
  workflow: text.optional(),
  action: text.optional(),
  data: path.optional(),
});

const agent = z.strictObject({
  id,
  metadata: z.strictObject({
    name: text.min(1),
    title: text.min(1),
    icon: text.min(1),
    module: text.optional(),
    description: text.optional(),
    sourceId: text.optional(),
  }),
  persona: z.strictObject({
    role: text,
    identity: text,
    communication_style: text,
    principles: points,
  }),
  critical_actions: points.optional(),
  prompts: list(z.strictObject({ id: text, content: text, description: text.optional() })).optional(),
  menu: list(menuItem).optional(),
  systemPrompt: text.optional(),
  userPromptTemplate: text.optional(),
  discussion: z.boolean().optional(),
  webskip: z.boolean().optional(),
  conversational_knowledge: list(z.unknown()).optional(),
  tools: agentTools.optional(),
});

/** `agents.json` */
export const agentsSchema = z.strictObject({ schemaVersion: version, agents: list(agent).min(1) });

const semver = z
  .string()
  .max(200)
  .regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/, 'a version is written 1.2.3');

/** `bmad.json` */
export const manifestSchema = z.looseObject({
  schemaVersion: version,
  name: text.min(1),
  version: semver,
  entry: z.looseObject({ workflow: path, graph: path, agents: path, assetsDir: path.optional() }),
  workflows: list(
    z.looseObject({
      id,
      workflow: path,
      graph: path,
      displayName: text.optional(),
      description: text.optional(),
    }),
  ).optional(),
  runtime: z
    .looseObject({ minRuntimeVersion: semver.optional(), requiresNetwork: z.boolean().optional() })
    .optional(),
  integrity: z
    .looseObject({
      sha256: z
        .string()
        .regex(/^(?:sha256:)?[0-9a-fA-F]{64}$/, 'a sha256 has 64 hexadecimal digits')
        .optional(),
    })
    .optional(),
});

/** The frontmatter of a step file; other keys are the author's own. */
export const stepSchema = z.looseObject({
  schemaVersion: version,
  nodeId: z.string().max(200),
  type: z.enum(NODE_TYPES),
  agentId: z.string().max(200).optional(),
  transitions: list(z.looseObject({ to: z.string().max(200), label: text.optional() })).optional(),
});

export type Graph = z.infer<typeof graphSchema>;
export type GraphNode = Graph['nodes'][number];
export type GraphEdge = Graph['edges'][number];
export type PackagedAgent = z.infer<typeof agent>;
export type MenuItem = z.infer<typeof menuItem>;
export type AgentTools = z.infer<typeof agentTools>;
export type Manifest = z.infer<typeof manifestSchema>;
