import type { FormatWriter } from './writer.js';
import { dotpromptWriter } from './writers/dotprompt.js';
import { geminiCommandWriter } from './writers/gemini-command.js';
import {
  agentsMdWriter,
  claudeAgentWriter,
  claudeWriter,
  copilotWriter,
  cursorWriter,
  skillWriter,
} from './writers/instructions.js';
import {
  anthropicMessagesWriter,
  langchainWriter,
  langfuseWriter,
  mcpJsonWriter,
  openaiMessagesWriter,
} from './writers/json-formats.js';
import { promptfooWriter } from './writers/promptfoo.js';

/** Every format that can be exported. */
export const WRITERS: readonly FormatWriter[] = [
  agentsMdWriter,
  claudeWriter,
  claudeAgentWriter,
  skillWriter,
  copilotWriter,
  cursorWriter,
  geminiCommandWriter,
  dotpromptWriter,
  langfuseWriter,
  langchainWriter,
  promptfooWriter,
  openaiMessagesWriter,
  anthropicMessagesWriter,
  mcpJsonWriter,
];

/** The writer of a format by its name. */
export const writerOf = (id: string): FormatWriter | undefined => WRITERS.find((writer) => writer.id === id);
