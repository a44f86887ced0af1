import { z } from 'zod';

const version = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^1\.1(\.\d+)?$/, 'the version is 1.1'));
/** A key without a value is a key that is not there. */
const orElse = <Schema extends z.ZodType>(schema: Schema, value: z.infer<Schema>) =>
  z.preprocess((given) => given ?? value, schema);
const id = z.string().max(200);
/** Any names: a record schema would drop `__proto__` without a word. */
const variables = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'variables are a map of names to values',
);

const decision = z.strictObject({
  from: id,
  to: id,
  label: z.string().max(10_000),
  reason: z.string().max(10_000).optional(),
  decidedAt: z.string().max(100).optional(),
});

/** The frontmatter of `@state/workflow.md`. Other keys are kept as they are. */
export const stateSchema = z.looseObject({
  schemaVersion: version,
  workflowType: z.string().min(1).max(1000),
  stepsCompleted: orElse(z.array(id).max(10_000), []),
  currentNodeId: orElse(id, ''),
  runId: id.optional(),
  activeAgentId: id.optional(),
  updatedAt: z.iso.datetime({ offset: true, message: 'a time is written 2026-01-31T12:00:00Z' }).optional(),
  variables: orElse(variables, {}),
  decisionLog: orElse(z.array(decision).max(10_000), []),
  artifacts: orElse(z.array(z.string().max(1000)).max(10_000), []),
});

/** The one operation of `fs.apply_patch`. */
export const patchSchema = z.strictObject({
  operation: z.literal('updateFrontmatter'),
  update: z.strictObject({
    stepsCompleted: z.strictObject({ append: z.array(id).max(1000) }).optional(),
    variables: z.strictObject({ set: variables }).optional(),
    decisionLog: z.strictObject({ append: z.array(decision).max(1000) }).optional(),
    artifacts: z.strictObject({ append: z.array(z.string().max(1000)).max(1000) }).optional(),
    currentNodeId: z.strictObject({ set: id }).optional(),
    updatedAt: z.strictObject({ set: z.string().max(100) }).optional(),
  }),
  ifMatchSha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'a sha256 has 64 hexadecimal digits')
    .optional(),
});

export type WorkflowState = z.infer<typeof stateSchema>;
export type StatePatch = z.infer<typeof patchSchema>;
export type StateDecision = z.infer<typeof decision>;
