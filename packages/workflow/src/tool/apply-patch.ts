import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { STATE_PATH } from '../state/document.js';
import { patchSchema } from '../state/schema.js';
import { list, object, PATH, path, SHA, TEXT } from './args.js';
import { toolPath } from './context.js';
import { failed, fromStateError } from './result.js';
import { fileTool } from './tool.js';

const wrapped = (key: string, value: object) => object({ [key]: value }, [key]);

const PATCH = object(
  {
    operation: { const: 'updateFrontmatter' },
    update: object(
      {
        stepsCompleted: wrapped('append', list(TEXT)),
        variables: wrapped('set', { type: 'object' }),
        decisionLog: wrapped('append', list({ type: 'object' })),
        artifacts: wrapped('append', list(TEXT)),
        currentNodeId: wrapped('set', TEXT),
        updatedAt: wrapped('set', TEXT),
      },
      [],
    ),
    ifMatchSha256: SHA,
  },
  ['operation', 'update'],
);

/** The frontmatter of the state file, and of nothing else. */
export const applyPatchTool = fileTool({
  name: 'fs.apply_patch',
  description: 'Changes the frontmatter of @state/workflow.md.',
  parameters: object({ path: PATH, patch: PATCH }, ['path', 'patch']),
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
