import { filesUnder, workspaces } from '../workspaces.js';

/** Every test file of the checkout, by path from its top. */
export const testFiles = (): readonly string[] =>
  ['test', ...workspaces().flatMap(({ folder }) => [`${folder}/src`, `${folder}/test`])].flatMap((folder) =>
    filesUnder(folder, ['.test.ts']),
  );

/** Those that a run may have: all, or those in `CUEBOOK_FILES`, with commas between them. */
export const chosenFiles = (): readonly string[] => process.env.CUEBOOK_FILES?.split(',') ?? testFiles();
