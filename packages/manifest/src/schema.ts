import { z } from 'zod';

/** The most prompt sources an Agent may have. */
export const MAX_SOURCES = 20;

/** A name of an object, as the cluster demands it. */
const objectName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/,
    'a name is made of lower-case letters, digits, dashes and dots, and starts and ends with a letter or digit',
  );

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();

/** Enough of any object to know what it is. */
export const metadataSchema = z.looseObject({
  metadata: z.looseObject({
    name: objectName,
    namespace: z.union([objectName, z.literal('')]).nullish(),
  }),
});

const source = z.looseObject({ kind: text, apiGroup: text, name: objectName, alias: text });

const skills = z.looseObject({
  refs: texts,
  gitRefs: z.array(z.looseObject({ url: text, path: text, name: text })).nullish(),
  s3Refs: z.array(z.looseObject({ uri: text, name: text })).nullish(),
});

const declarative = z.looseObject({
  systemMessage: text,
  systemMessageFrom: z.looseObject({ type: z.string(), name: objectName, key: z.string() }).nullish(),
  promptTemplate: z
    .looseObject({
      dataSources: z.array(source).max(MAX_SOURCES, `at most ${MAX_SOURCES} sources`).nullish(),
    })
    .nullish(),
  tools: z.array(z.looseObject({ mcpServer: z.looseObject({ toolNames: texts }).nullish() })).nullish(),
});

/** What is read of an Agent. Other keys are the cluster's business. */
export const agentSchema = z.looseObject({
  spec: z.looseObject({
    type: text,
    description: text,
    declarative: declarative.nullish(),
    skills: skills.nullish(),
  }),
});

/** The keys of a ConfigMap or Secret, as the cluster demands them. */
const dataKey = z
  .string()
  .max(253)
  .regex(/^[-._a-zA-Z0-9]+$/, 'a key is made of letters, digits, dashes, dots and underscores');

export const configMapSchema = z.looseObject({
  data: z.record(dataKey, z.string()).nullish(),
  binaryData: z.record(dataKey, z.string()).nullish(),
});

export const secretSchema = z.looseObject({
  data: z.record(dataKey, z.string().nullable()).nullish(),
  stringData: z.record(dataKey, z.string()).nullish(),
});

export type AgentSpec = z.infer<typeof agentSchema>['spec'];
export type PromptSource = z.infer<typeof source>;
export type Skills = z.infer<typeof skills>;
