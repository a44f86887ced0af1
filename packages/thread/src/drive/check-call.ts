import type { ApprovalNeed, DefinitionEntry, PromptData, ToolBinding } from '@cuebook/define';
import type { AskedCall } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { type JsonValue, nameTools, type Redactor } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import type { StepCall } from '../run/outcome.js';
import { problemsText } from './arguments.js';
import { attach } from './attachments.js';
import { isRecord } from './hook-message.js';
import { openingFor } from './opening.js';
import type { DriveParts } from './parts.js';

export interface Checking {
  readonly call: AskedCall;
  readonly bindings: readonly ToolBinding[];
  readonly reader: Reader & { readonly prompt: DefinitionEntry<PromptData> };
  /** For the bytes of what is attached. */
  readonly redactor: Redactor;
}

/** What the project's schemas say of a call, and what a sub-prompt or an agent would begin with. */
export async function checkCall(
  parts: DriveParts,
  { call: written, bindings, redactor }: Checking,
): Promise<StepCall> {
  const call = meantCall(written, bindings, parts.live.catalog.tools.keys());
  const binding = bindings.find(({ name }) => name === call.name);
  if (binding === undefined || call.badInput !== undefined) return call;
  if (binding.does === 'function') {
    const problem = await inputProblem(parts, call.name, call.input);
    if (problem !== undefined) return { ...call, problem };
    const { ask, ...approval } = await approvalOf(parts, binding, call.input);
    return ask ? { ...call, approval } : call;
  }
  if (!isRecord(call.input)) return { ...call, problem: 'the arguments are one JSON object' };
  const wanted = await openingFor(parts, binding, call.input);
  if (typeof wanted === 'string') return { ...call, problem: wanted };
  const attached = await attach(parts, { paths: wanted.paths, by: 'agent', redactor });
  if (!attached.ok) return { ...call, problem: attached.error.message };
  const { paths: _, ...opening } = wanted;
  return { ...call, opening: { ...opening, attachments: attached.value } };
}

/** A person is asked where the tool, or the prompt that lists it, says so. */
async function approvalOf(
  { live }: Pick<DriveParts, 'live'>,
  { name, configs }: ToolBinding,
  input: JsonValue,
): Promise<ApprovalNeed> {
  const need = await live.approval(name, input);
  const isListed = configs.some(({ approval }) => approval === 'always');
  return guard('approval.listed', isListed && !need.ask) ? { ask: true } : need;
}

/** What is wrong with the arguments of a function. */
export async function inputProblem(
  { live }: Pick<DriveParts, 'live'>,
  tool: string,
  input: JsonValue,
): Promise<string | undefined> {
  if (live.catalog.tools.get(tool)?.data.args === undefined)
    return isRecord(input) ? undefined : 'the arguments are one JSON object';
  const checked = await live.check({ kind: 'tool', name: tool }, input);
  return checked.ok ? undefined : problemsText(checked);
}

/** Another spelling of one tool that the request told of is that tool; the record says what was written. */
function meantCall(call: AskedCall, bindings: readonly ToolBinding[], others: Iterable<string>): AskedCall {
  const offered = bindings.map(({ name }) => name);
  const meant = nameTools(offered, others).understand(call.name, 'own');
  if (meant.kind !== 'known' || meant.name === call.name) return call;
  return { ...call, name: meant.name, said: call.said ?? call.name };
}
