import { ADOPT_MUTANTS } from './mutants/adopt.js';
import { BUNDLE_MUTANTS } from './mutants/bundle.js';
import { CLI_MUTANTS } from './mutants/cli.js';
import { DEFINE_MUTANTS } from './mutants/define.js';
import { EDITOR_MUTANTS } from './mutants/editor.js';
import { ENGINE_MUTANTS } from './mutants/engine.js';
import { EVAL_MUTANTS } from './mutants/eval.js';
import { FILES_MUTANTS } from './mutants/files.js';
import { JOURNAL_MUTANTS } from './mutants/journal.js';
import { MANIFEST_MUTANTS } from './mutants/manifest.js';
import { PLATFORM_MUTANTS } from './mutants/platform.js';
import { PROCESS_MUTANTS } from './mutants/process.js';
import { PROFILE_MUTANTS } from './mutants/profile.js';
import { PROMPT_MUTANTS } from './mutants/prompt.js';
import { PROVIDER_MUTANTS } from './mutants/provider.js';
import { RESIDENT_MUTANTS } from './mutants/resident.js';
import type { Mutant } from './mutants/rows.js';
import { SERVER_MUTANTS } from './mutants/server.js';
import { SHEET_MUTANTS } from './mutants/sheet.js';
import { TEAM_MUTANTS } from './mutants/team.js';
import { TEMPLATE_MUTANTS } from './mutants/template.js';
import { THREAD_MUTANTS } from './mutants/thread.js';
import { LOCK_MUTANTS, WORKFLOW_MUTANTS, ZIP_MUTANTS } from './mutants/workflow.js';
import { WORKSPACE_MUTANTS } from './mutants/workspace.js';

export type { Mutant } from './mutants/rows.js';

/** One row for every guard of every package. `npm run mutants` tries each; `-- --find GUARD` finds its tests. */
export const MUTANTS: readonly Mutant[] = [
  ...SERVER_MUTANTS,
  ...SHEET_MUTANTS,
  ...THREAD_MUTANTS,
  ...BUNDLE_MUTANTS,
  ...PLATFORM_MUTANTS,
  ...RESIDENT_MUTANTS,
  ...WORKFLOW_MUTANTS,
  ...ZIP_MUTANTS,
  ...LOCK_MUTANTS,
  ...DEFINE_MUTANTS,
  ...EDITOR_MUTANTS,
  ...TEAM_MUTANTS,
  ...WORKSPACE_MUTANTS,
  ...JOURNAL_MUTANTS,
  ...ENGINE_MUTANTS,
  ...EVAL_MUTANTS,
  ...PROVIDER_MUTANTS,
  ...CLI_MUTANTS,
  ...ADOPT_MUTANTS,
  ...FILES_MUTANTS,
  ...MANIFEST_MUTANTS,
  ...PROCESS_MUTANTS,
  ...PROFILE_MUTANTS,
  ...PROMPT_MUTANTS,
  ...TEMPLATE_MUTANTS,
];
