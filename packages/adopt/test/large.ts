import { CASES } from './large/cases.js';
import { DOTPROMPT } from './large/dotprompt.js';
import { GEMINI } from './large/gemini.js';
import { INSTRUCTIONS } from './large/instructions.js';
import { LANGCHAIN } from './large/langchain.js';
import { LANGFUSE } from './large/langfuse.js';
import type { LargeFile } from './large/large-file.js';
import { SERVICES } from './large/services.js';
import { TEMPLATES } from './large/templates.js';

export type { LargeFile };

/** Files of every format, each in shapes that grow. */
export const LARGE_FILES: readonly LargeFile[] = [
  ...TEMPLATES,
  ...INSTRUCTIONS,
  ...GEMINI,
  ...LANGFUSE,
  ...LANGCHAIN,
  ...SERVICES,
  ...DOTPROMPT,
  ...CASES,
];
