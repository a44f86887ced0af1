import { guard } from '../guard.js';
import { STATE_PATH } from '../state/document.js';
import type { ArgsOf } from './args.js';
import { type ToolContext, toolPath } from './context.js';
import { failed, fromStateError, type ToolResult } from './result.js';

/** `fs.apply_patch`: the frontmatter of the state file, and of nothing else. */
export async function applyPatchTool(
  context: ToolContext,
  args: ArgsOf<'fs.apply_patch'>,
): Promise<ToolResult> {
  const at = await toolPath(context, args.path);
  if (!at.ok) return at.result;
  if (guard('tool.state-only', !at.isState)) {
    return failed('E_INVALID_ARGS', `Only ${STATE_PATH} is patched. Write other files with fs.write.`);
  }
  if (context.state === undefined) return fromStateError({ code: 'E_STATE_UNAVAILABLE' });
  const patched = await context.state.patch(args.patch);
  if (!patched.ok) return fromStateError(patched.error);
  const { sha256Before, sha256After } = patched.value;
  return { ok: true, path: STATE_PATH, sha256Before, sha256After };
}
