/** Marks which definer made a value, also across two installed copies of this package. */
export const KIND = Symbol.for('cuebook.kind');

/**
 * Answers the definition itself, marked. A frozen one is copied.
 *
 * @param {string} kind
 */
const definer = (kind) => (/** @type {unknown} */ definition) => {
  if (typeof definition !== 'object' || definition === null) return definition;
  const target = Object.isExtensible(definition) ? definition : { ...definition };
  if (!(KIND in target)) Object.defineProperty(target, KIND, { value: kind });
  return target;
};

/**
 * What `@cuebook/define` and `@standardagents/spec` are inside a project. The names of types are there too, as
 * nothing: an import that forgot the word `type` still links.
 *
 * @type {Readonly<Record<string, unknown>>}
 */
export const DEFINERS = {
  ...Object.fromEntries(
    [
      'AgentDefinition',
      'HookDefinition',
      'HookKind',
      'ModelDefinition',
      'Names',
      'PromptContent',
      'PromptDefinition',
      'PromptIncludePart',
      'PromptInput',
      'PromptPart',
      'PromptTextPart',
      'ReasoningConfig',
      'SideConfig',
      'StructuredPrompt',
      'SubagentToolConfig',
      'SubpromptConfig',
      'ThreadState',
      'ToolArgs',
      'ToolConfig',
      'ToolDefinition',
      'ToolInput',
      'ToolResult',
      'VariableDefinition',
    ].map((name) => [name, undefined]),
  ),
  definePrompt: definer('prompt'),
  defineTool: definer('tool'),
  defineModel: definer('model'),
  defineAgent: definer('agent'),
  defineHook: definer('hook'),
};
