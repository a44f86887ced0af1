import { API_CODES } from '@cuebook/api';
import { BUNDLE_CODES } from '@cuebook/bundle/profiles';
import { DEFINE_CODES } from '@cuebook/define';
import { AGENT_CODES, ENGINE_CODES } from '@cuebook/engine';
import { ARCHIVE_CODES, FILES_CODES } from '@cuebook/files';
import { JOURNAL_CODES, RECEIPT_CODES } from '@cuebook/journal';
import { MANIFEST_CODES } from '@cuebook/manifest';
import { PROFILE_CODES } from '@cuebook/profile';
import { type CodeEntry, PROMPT_CODES } from '@cuebook/prompt';
import { PROVIDER_CODES } from '@cuebook/provider';
import { SERVER_CODES } from '@cuebook/server/codes';
import { SHEET_CODES } from '@cuebook/sheet';
import { TEAM_CODES } from '@cuebook/team';
import { TEMPLATE_CODES } from '@cuebook/template';
import { THREAD_CODES } from '@cuebook/thread';
import { WORKFLOW_CODES } from '@cuebook/workflow/profiles';
import { CLI_CODES } from './codes.js';

/** Every code that a command can print, with what it means. */
export const ALL_CODES: Readonly<Record<string, CodeEntry>> = {
  ...CLI_CODES,
  ...PROFILE_CODES,
  ...SHEET_CODES,
  ...MANIFEST_CODES,
  ...DEFINE_CODES,
  ...WORKFLOW_CODES,
  ...TEMPLATE_CODES,
  ...TEAM_CODES,
  ...THREAD_CODES,
  ...PROMPT_CODES,
  ...PROVIDER_CODES,
  ...ENGINE_CODES,
  ...AGENT_CODES,
  ...JOURNAL_CODES,
  ...RECEIPT_CODES,
  ...BUNDLE_CODES,
  ...API_CODES,
  ...SERVER_CODES,
  ...FILES_CODES,
  ...ARCHIVE_CODES,
};
