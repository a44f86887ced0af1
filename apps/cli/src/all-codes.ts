import { ADOPT_CODES } from '@cuebook/adopt/codes';
import { API_CODES } from '@cuebook/api/codes';
import { BUNDLE_CODES } from '@cuebook/bundle/codes';
import { DEFINE_CODES } from '@cuebook/define/codes';
import { ENGINE_CODES } from '@cuebook/engine/codes';
import { AGENT_CODES } from '@cuebook/engine/conversation-codes';
import { EVAL_CODES } from '@cuebook/eval/codes';
import { ARCHIVE_CODES, FILES_CODES } from '@cuebook/files/codes';
import { HOST_CODES } from '@cuebook/host/codes';
import { JOURNAL_CODES, RECEIPT_CODES } from '@cuebook/journal/codes';
import { MANIFEST_CODES } from '@cuebook/manifest/codes';
import { OPERATOR_CODES } from '@cuebook/operator/codes';
import { PLATFORM_CODES } from '@cuebook/platform/codes';
import { PROFILE_CODES } from '@cuebook/profile/codes';
import type { CodeEntry } from '@cuebook/prompt';
import { PROMPT_CODES } from '@cuebook/prompt/codes';
import { PROVIDER_CODES } from '@cuebook/provider/codes';
import { RESIDENT_CODES } from '@cuebook/resident/codes';
import { SERVER_CODES } from '@cuebook/server/codes';
import { SHEET_CODES } from '@cuebook/sheet/codes';
import { TEAM_CODES } from '@cuebook/team/codes';
import { TEMPLATE_CODES } from '@cuebook/template/codes';
import { THREAD_CODES } from '@cuebook/thread/codes';
import { TURN_CODES } from '@cuebook/turn/codes';
import { WORKFLOW_CODES } from '@cuebook/workflow/codes';
import { WORKSPACE_CODES } from '@cuebook/workspace/codes';
import { CLI_CODES } from './codes.js';

/** Every code that a command can print, with what it means. */
export const ALL_CODES: Readonly<Record<string, CodeEntry>> = {
  ...CLI_CODES,
  ...PROFILE_CODES,
  ...SHEET_CODES,
  ...ADOPT_CODES,
  ...MANIFEST_CODES,
  ...DEFINE_CODES,
  ...WORKFLOW_CODES,
  ...TEMPLATE_CODES,
  ...TEAM_CODES,
  ...WORKSPACE_CODES,
  ...THREAD_CODES,
  ...TURN_CODES,
  ...PROMPT_CODES,
  ...PROVIDER_CODES,
  ...ENGINE_CODES,
  ...AGENT_CODES,
  ...EVAL_CODES,
  ...HOST_CODES,
  ...JOURNAL_CODES,
  ...RECEIPT_CODES,
  ...BUNDLE_CODES,
  ...PLATFORM_CODES,
  ...RESIDENT_CODES,
  ...API_CODES,
  ...SERVER_CODES,
  ...OPERATOR_CODES,
  ...FILES_CODES,
  ...ARCHIVE_CODES,
};
