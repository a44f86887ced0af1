import { filesUnder, workspaces } from '../workspaces.js';

/** Every test file of the checkout, by path from its top. */
export const testFiles = (): readonly string[] =>
  ['test', ...workspaces().flatMap(({ folder }) => [`${folder}/src`, `${folder}/test`])].flatMap((folder) =>
    filesUnder(folder, ['.test.ts']),
  );
