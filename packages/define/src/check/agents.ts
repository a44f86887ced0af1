import { type Diagnostic, nearest } from '@cuebook/prompt';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData, SideData } from '../shape/other-shapes.js';
import { type Problem, problemAt } from '../shape/read-shape.js';
import { unknownName } from './names.js';
import { anyPrompt, isWhole } from './sketches.js';

/** What is wrong with an agent: its sides, the prompts and tools they name, and how it is exposed. */
export function checkAgent(catalog: Catalog, entry: DefinitionEntry<AgentData>): readonly Diagnostic[] {
  const { type, sideA, sideB, exposeAsTool, toolDescription, maxSessionTurns, hooks } = entry.data;
  const at = (path: readonly PropertyKey[], problem: Problem) => problemAt(entry.source, path, problem);
  const diagnostics: Diagnostic[] = [...checkSide(catalog, entry, 'sideA', sideA)];
  if (sideB !== undefined) diagnostics.push(...checkSide(catalog, entry, 'sideB', sideB));
  if (type === 'dual_ai' && sideB === undefined) {
    const message = `The agent "${entry.name}" is dual_ai and has no sideB`;
    diagnostics.push(at(['type'], { code: 'E_AGENT', severity: 'error', message }));
  }
  if (type === 'ai_human' && sideB !== undefined) {
    const message = 'sideB has no effect: the other side of an ai_human agent is a person';
    diagnostics.push(at(['sideB'], { code: 'W_AGENT', severity: 'warning', message }));
  }
  if (type === 'ai_human' && maxSessionTurns !== undefined) {
    const message =
      'maxSessionTurns has no effect: a person decides how often an ai_human agent is spoken to';
    diagnostics.push(at(['maxSessionTurns'], { code: 'W_AGENT', severity: 'warning', message }));
  }
  for (const [side, data] of [['sideA', sideA] as const, ['sideB', sideB] as const]) {
    if (data?.stopToolResponseProperty === undefined || data.stopTool !== undefined) continue;
    const message = `${side}.stopToolResponseProperty has no effect without stopTool`;
    diagnostics.push(
      at([side, 'stopToolResponseProperty'], { code: 'W_AGENT', severity: 'warning', message }),
    );
  }
  if (exposeAsTool && toolDescription === undefined) {
    const message = `The agent "${entry.name}" is exposed as a tool and has no toolDescription`;
    diagnostics.push(at(['exposeAsTool'], { code: 'E_AGENT', severity: 'error', message }));
  }
  hooks.forEach((name, index) => {
    diagnostics.push(...unknownName(catalog, { by: entry, path: ['hooks', index], name, kinds: ['hook'] }));
  });
  return diagnostics;
}

const SIDE_TOOLS = [
  'sessionStop',
  'sessionFail',
  'sessionStatus',
  'endSessionTool',
  'failSessionTool',
  'statusTool',
] as const;

function checkSide(
  catalog: Catalog,
  entry: DefinitionEntry<AgentData>,
  side: string,
  data: SideData | undefined,
): readonly Diagnostic[] {
  if (data === undefined) return [];
  const use = { by: entry, path: [side, 'prompt'], name: data.prompt, kinds: ['prompt'] } as const;
  const unknown = unknownName(catalog, use);
  const prompt = anyPrompt(catalog, data.prompt);
  if (prompt === undefined || !isWhole(prompt.data.tools)) return unknown;
  return [
    ...unknown,
    ...sideTools(
      entry,
      side,
      data,
      prompt.data.tools.map(({ name }) => name),
    ),
  ];
}

/** Tools of the side that its prompt does not have. */
function sideTools(
  entry: DefinitionEntry<AgentData>,
  side: string,
  data: SideData,
  tools: readonly string[],
): readonly Diagnostic[] {
  const named = [
    ...(data.stopTool === undefined ? [] : [['stopTool', data.stopTool] as const]),
    ...SIDE_TOOLS.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key].name] as const])),
  ];
  return named
    .filter(([, name]) => !tools.includes(name))
    .map(([key, name]) => {
      const meant = nearest(name, tools);
      const hint = meant === undefined ? `It has: ${tools.join(', ') || 'none'}` : `Did you mean "${meant}"?`;
      const message = `${side}.${key}: the prompt "${data.prompt}" has no tool "${name}". ${hint}`;
      return problemAt(entry.source, [side, key], { code: 'E_AGENT', severity: 'error', message });
    });
}
