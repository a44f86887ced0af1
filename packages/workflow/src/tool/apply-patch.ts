import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { TOOLS } from '../shipped-texts.js';
import { STATE_PATH } from '../state/document.js';
import { patchSchema } from '../state/schema.js';
import { path } from './args.js';
import { toolPath } from './context.js';
import { failed, fromStateError } from './result.js';
import { fileTool } from './tool.js';

/** The frontmatter of the state file, and of nothing else. */
export const applyPatchTool = fileTool({
  ...TOOLS.tool('fs.apply_patch'),
  args: z.strictObject({ path, patch: patchSchema }),
  takes:
    '{ path: "@state/workflow.md", patch: { operation: "updateFrontmatter", update: { … }, ifMatchSha256? } }',
  safety: 'observable',
  changesState: () => true,
  async run(context, args) {
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
  },
});
