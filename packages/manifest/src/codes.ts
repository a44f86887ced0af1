import type { CodeEntry } from '@cuebook/prompt';

/** The codes of manifests. */
export const MANIFEST_CODES = {
  E_MANIFEST: {
    title: 'A manifest that does not fit',
    cause:
      'The file is not valid YAML, or a value of an Agent, ConfigMap or Secret is not one that the cluster takes; the message names the place.',
    fix: 'Correct the place that the message names. docs/user/manifests.md lists every key that is read.',
  },
  E_MANIFEST_TWICE: {
    title: 'One object, two manifests',
    cause: 'Two documents have the same kind, namespace and name, and nothing says which is meant.',
    fix: 'Keep one of the two, or give them different names or namespaces.',
  },
  E_SYSTEM_MESSAGE: {
    title: 'No system message to be had',
    cause:
      'The Agent sets neither or both of systemMessage and systemMessageFrom, or systemMessageFrom names an object or key that does not exist.',
    fix: 'Set exactly one of the two. References look only in the namespace of the Agent.',
  },
  E_SOURCE: {
    title: 'A prompt source that cannot be used',
    cause:
      'A source of promptTemplate names an object that is not among the manifests or is neither a ConfigMap nor a Secret, or two sources give the same path.',
    fix: 'Add the missing object to the files, in the namespace of the Agent, or correct kind, name or alias.',
  },
  E_INCLUDE_PATH: {
    title: 'An include of nothing',
    cause:
      'The template includes a path that no source gives. The cluster would notice only when that branch is executed.',
    fix: 'Write `alias/key`, or `name/key` for a source without an alias; the message suggests the nearest.',
  },
  E_TEMPLATE_FIELD: {
    title: 'A variable that does not exist',
    cause:
      'The template reads a variable that no Agent has. The cluster would notice only when that branch is executed.',
    fix: 'There are AgentName, AgentNamespace, Description, ToolNames and SkillNames; inside range and with write `$.AgentName`.',
  },
  W_MANIFEST_SKIPPED: {
    title: 'A document that was ignored',
    cause: 'The document has no apiVersion and kind, or is an Agent of a version that is not read.',
    fix: 'Leave it out of the files, or give it `apiVersion` and `kind`.',
  },
  W_MANIFEST_KEY: {
    title: 'A key that may be mistyped',
    cause: 'A key is not one that is read and looks much like one that is.',
    fix: 'Correct the spelling; the cluster drops keys that it does not know.',
  },
  W_SOURCE_KIND: {
    title: 'A source without a kind',
    cause:
      'The prompt source does not say whether it is a ConfigMap or a Secret; it is taken for a ConfigMap.',
    fix: 'Write `kind: ConfigMap` or `kind: Secret`.',
  },
  W_SOURCE_UNUSED: {
    title: 'A source that nothing includes',
    cause: 'No include of the template names a key of the source, or the source has no keys.',
    fix: 'Include something of it, or remove it.',
  },
  W_SOURCE_ALIAS: {
    title: 'An alias that misleads',
    cause:
      'Two sources go by one name, or an alias holds a slash, a space or a character that cannot be seen, so its paths are easily mistaken.',
    fix: 'Give each source an alias of its own made of letters, digits, dots and dashes.',
  },
  W_SOURCE_SHIPPED: {
    title: 'Shipped text is used',
    cause:
      'The built-in prompts of kagent are not among the manifests, so those that Cuebook ships are shown; the words in the cluster may differ.',
    fix: 'Add the ConfigMap of the cluster to the files, or name `cuebook-builtin-prompts`.',
  },
  W_TEMPLATE_LITERAL: {
    title: 'Template syntax that stays as it is',
    cause: 'The system message looks like a template, and without promptTemplate it is literal text.',
    fix: 'Set `promptTemplate`, `promptTemplate: {}` if it has no sources, or take the braces out.',
  },
} as const satisfies Record<string, CodeEntry>;
