// What composing a workflow's prompts takes, apart from what running it takes: commands that only look start faster.
export { type Acceptances, createAcceptances } from './package/acceptance.js';
export { isOwnPackage, packageFolderHash } from './package/own-package.js';
export { createWorkflowProfile, type PackageStanding, workflowProfile } from './profile.js';
export {
  allowedServers,
  NO_SETTINGS,
  readWorkflowSettings,
  type WorkflowSettings,
} from './settings/settings.js';
