import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { type Callable, findCallable, receivingPrompt } from '../compose/callable.js';
import { servedName } from '../compose/served.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { PromptData, ToolEntry } from '../shape/prompt-shape.js';
import { type Problem, problemAt } from '../shape/read-shape.js';
import { unknownName } from './names.js';
import { checkServed } from './served.js';

/** What is wrong with the tools of a prompt: names, configuration that means nothing, agents that are closed. */
export function checkTools(catalog: Catalog, entry: DefinitionEntry<PromptData>): readonly Diagnostic[] {
  const { tools, toolChoice } = entry.data;
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  tools.forEach((tool, index) => {
    const path = ['tools', index];
    const report = (problem: Problem): void => void diagnostics.push(problemAt(entry.source, path, problem));
    const callable = findCallable(catalog, tool.name);
    if (seen.has(tool.name)) report(error('E_TOOL_TWICE', `The tool "${tool.name}" is listed twice`));
    seen.add(tool.name);
    if (callable === undefined && servedName(tool.name) !== undefined) {
      for (const problem of [...checkServed(catalog, tool.name), ...servedProblems(tool)]) report(problem);
      return;
    }
    if (callable === undefined) {
      const use = { by: entry, path, name: tool.name, kinds: ['tool', 'prompt', 'agent'] as const };
      diagnostics.push(...unknownName(catalog, use));
      return;
    }
    if (!/^[\w-]{1,64}$/.test(tool.name)) {
      report(
        error(
          'E_TOOL_NAME',
          `"${tool.name}" cannot be a tool: models take letters, digits, _ and -, 64 at most`,
        ),
      );
    }
    for (const problem of configProblems(catalog, tool, callable)) report(problem);
  });
  if (guard('check.choice', toolChoice === 'required' && tools.length === 0)) {
    const message = `The prompt "${entry.name}" requires a tool call and has no tools`;
    diagnostics.push(problemAt(entry.source, ['toolChoice'], error('E_TOOL_CHOICE', message)));
  }
  const model = catalog.models.get(entry.data.model);
  if (guard('check.tool-calls', tools.length > 0 && model?.data.capabilities.toolCalls === false)) {
    const isError = toolChoice === 'required';
    const message = `The prompt "${entry.name}" lists tools, and its model "${entry.data.model}" has capabilities.toolCalls: false, so it is told of none`;
    const problem = { severity: isError ? 'error' : 'warning', message } as const;
    diagnostics.push(
      problemAt(entry.source, ['tools'], { code: isError ? 'E_TOOL_CHOICE' : 'W_TOOL_OPTION', ...problem }),
    );
  }
  return diagnostics;
}

const error = (code: string, message: string): Problem => ({ code, severity: 'error', message });

const RESULT_KEYS = ['includeTextResponse', 'includeToolCalls', 'includeErrors', 'maxSteps'] as const;
const INIT_KEYS = ['initUserMessageProperty', 'initAttachmentsProperty'] as const;
const ARGUMENT_KEYS = [...INIT_KEYS, 'initAgentNameProperty'] as const;
const SUBAGENT_KEYS = ['blocking', 'resumable', 'immediate', 'optional', 'initAgentNameProperty'] as const;
const FUNCTION_KEYS = ['env', 'options', 'approval'] as const;

const given = (tool: ToolEntry, keys: readonly (keyof ToolEntry)[]) =>
  keys.filter((key) => tool[key] !== undefined);

const ignoredKeys = (tool: ToolEntry, keys: readonly (keyof ToolEntry)[], why: string): readonly Problem[] =>
  given(tool, keys).map((key) => ({
    code: 'W_TOOL_OPTION',
    severity: 'warning',
    message: `${key} has no effect on "${tool.name}": ${why}`,
  }));

/** Settings that are not for the tools of a server. */
const servedProblems = (tool: ToolEntry): readonly Problem[] => [
  ...notAnAgent(tool, given(tool, SUBAGENT_KEYS), 'of an MCP server'),
  ...ignoredKeys(tool, ['env', 'options', ...RESULT_KEYS, ...INIT_KEYS], 'it is of an MCP server'),
];

function configProblems(catalog: Catalog, tool: ToolEntry, callable: Callable): readonly Problem[] {
  const ignored = (keys: readonly (keyof ToolEntry)[], why: string) => ignoredKeys(tool, keys, why);
  const subagentKeys = given(tool, SUBAGENT_KEYS);
  switch (callable.kind) {
    case 'tool':
      return [
        ...notAnAgent(tool, subagentKeys, 'a function'),
        ...ignored([...RESULT_KEYS, ...INIT_KEYS], 'it is a function, and that is for prompts and agents'),
      ];
    case 'prompt':
      return [
        ...notAnAgent(tool, subagentKeys, 'a prompt'),
        ...ignored(FUNCTION_KEYS, 'it is a prompt, and that is for functions'),
        ...missingProperties(tool, callable.entry.data.requiredSchema),
      ];
    case 'agent': {
      const { type, exposeAsTool } = callable.entry.data;
      const isClosed = guard('check.subagent', !exposeAsTool);
      const closed = isClosed
        ? [
            error(
              'E_SUBAGENT',
              `The agent "${tool.name}" is not exposed: set exposeAsTool and toolDescription in ${callable.entry.source.path}`,
            ),
          ]
        : [];
      const human = type === 'dual_ai' ? [] : notAnAgent(tool, subagentKeys, 'an ai_human agent');
      const receiver = catalog.prompts.get(receivingPrompt(callable.entry.data, tool));
      return [
        ...closed,
        ...human,
        ...ignored([...FUNCTION_KEYS, ...RESULT_KEYS], 'it is an agent'),
        ...missingProperties(tool, receiver?.data.requiredSchema),
      ];
    }
  }
}

const notAnAgent = (tool: ToolEntry, keys: readonly string[], what: string): readonly Problem[] =>
  keys.length === 0
    ? []
    : [
        error(
          'E_SUBAGENT',
          `${keys.join(', ')}: "${tool.name}" is ${what}, and only a dual_ai agent can be a subagent`,
        ),
      ];

/** An argument that is to become the first message, and that the schema does not let in. */
function missingProperties(tool: ToolEntry, schema: PromptData['requiredSchema']): readonly Problem[] {
  if (schema === undefined) return [];
  const names = Object.keys((schema.properties as object | undefined) ?? {});
  return ARGUMENT_KEYS.flatMap((key): Problem[] => {
    const wanted = tool[key];
    if (wanted === undefined || names.includes(wanted)) return [];
    const meant = nearest(wanted, names);
    const hint = meant === undefined ? `It has: ${names.join(', ') || 'none'}` : `Did you mean "${meant}"?`;
    return [
      error('E_TOOL_PROPERTY', `${key}: the schema of "${tool.name}" has no property "${wanted}". ${hint}`),
    ];
  });
}
