// What composing a workflow's prompts takes, apart from what running it takes: commands that only look start faster.
export { WORKFLOW_CODES } from './codes.js';
export { type Acceptance, type Acceptances, createAcceptances } from './package/acceptance.js';
export { isOwnPackage, packageFolderHash } from './package/own-package.js';
export { packageDigest } from './package/requirements.js';
export { createWorkflowProfile, isOwnFolder, type PackageStanding, workflowProfile } from './profile.js';
export { NO_SETTINGS, readWorkflowSettings, type WorkflowSettings } from './settings/settings.js';
