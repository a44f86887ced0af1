import * as z from '../zod.js';

/** Where fragments are read from: the manifests of the project, or the cluster that the server was given. */
export const fragmentPlaceSchema = z.enum(['project', 'cluster']);

/** An Agent that may be told a fragment. */
const fragmentUseSchema = z.object({
  /** `namespace/name` */
  agent: z.string(),
  /** `message`: it is the whole message. `include`: the template names it. `computed`: it may, by a computed path. */
  how: z.enum(['message', 'include', 'computed']),
});

/** A ConfigMap that holds prompts, with the Agents of each key. */
export const promptLibrarySchema = z.object({
  namespace: z.string(),
  name: z.string(),
  /** Whether it is labelled as a library; one that is not is here because Agents include from it. */
  isLabelled: z.boolean(),
  keys: z.array(z.object({ key: z.string(), text: z.string(), agents: z.array(fragmentUseSchema) })),
});

const objectName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/, 'a name of the cluster');

/** Another text for one key. Null: the key is removed. */
export const fragmentEditSchema = z.strictObject({
  namespace: objectName,
  name: objectName,
  key: z
    .string()
    .max(253)
    .regex(/^[-._a-zA-Z0-9]+$/, 'letters, digits, dashes, dots and underscores'),
  text: z
    .string()
    .max(1024 * 1024)
    .nullable(),
});

const obligationSchema = z.object({ force: z.string(), text: z.string() });

/** What a change does to one Agent. */
export const fragmentReachSchema = z.object({
  agent: z.string(),
  /** `changed` and `fixed`: it gets new words, and its pods roll. `broken`: it keeps its words until that is fixed. */
  change: z.enum(['added', 'removed', 'changed', 'broken', 'fixed']),
  /** Why it cannot be resolved any more. */
  message: z.string().optional(),
  /** Confidential words are masked. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  added: z.array(obligationSchema),
  dropped: z.array(obligationSchema),
});

/** A ConfigMap of prompts. */
export type PromptLibraryView = z.output<typeof promptLibrarySchema>;
