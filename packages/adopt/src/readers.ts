import type { FormatReader } from './reader.js';
import { agentsMdReader } from './readers/agents-md.js';
import { claudeReader } from './readers/claude.js';
import { copilotReader } from './readers/copilot.js';
import { cursorReader } from './readers/cursor.js';
import { dotpromptReader } from './readers/dotprompt.js';
import { geminiReader } from './readers/gemini.js';
import { githubModelsReader } from './readers/github-models.js';
import { langchainReader } from './readers/langchain.js';
import { langfuseReader } from './readers/langfuse.js';
import { mcpReader } from './readers/mcp.js';
import { openaiReader } from './readers/openai.js';
import { promptfooReader } from './readers/promptfoo.js';
import { skillReader } from './readers/skill.js';

/** Every format that can be imported, in the order in which they are tried on a file. */
export const READERS: readonly FormatReader[] = [
  openaiReader,
  langchainReader,
  langfuseReader,
  mcpReader,
  claudeReader,
  agentsMdReader,
  geminiReader,
  copilotReader,
  cursorReader,
  dotpromptReader,
  githubModelsReader,
  promptfooReader,
  skillReader,
];

/** The reader of a format by its name. */
export const readerOf = (id: string): FormatReader | undefined => READERS.find((reader) => reader.id === id);
