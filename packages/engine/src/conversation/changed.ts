import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { Approval } from '../approval/approval.js';
import { checkInput, permitCall } from '../tool-loop/plan.js';
import type { Permit, ToolRules } from '../tool-loop/tool.js';

/** What the first input of an approval was held to. */
export interface ChangedRules {
  /** The rules of our tools; undefined where an agent asks for something that it does by itself. */
  readonly rules: ToolRules | undefined;
  readonly permitNative: (tool: string, input: JsonValue) => Permit;
}

/** A changed input passes all that the first one passed; a person may allow, and not against the policy. */
export function checkChanged(
  { tool: name }: Approval,
  input: JsonValue,
  { rules, permitNative }: ChangedRules,
): Result<JsonValue, string> {
  const tool = rules?.tools.find((candidate) => candidate.name === name);
  const isOurs = rules !== undefined && tool !== undefined;
  const checked = isOurs ? checkInput(name, input, rules) : ok(input);
  if (!checked.ok) return checked;
  const permit = isOurs ? permitCall(tool, checked.value, rules) : permitNative(name, input);
  return permit.kind === 'deny' ? fail(permit.reason) : checked;
}
