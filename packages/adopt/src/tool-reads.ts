/** Which instruction files of a repository a tool reads. */
interface ToolReads {
  readonly title: string;
  /** Files from the top of the repository; one that ends with a slash is a folder, all of which is read. */
  readonly files: readonly string[];
  /** Of those that are there it reads all, or only the first. */
  readonly takes: 'all' | 'first';
  /** The bytes that it reads of them; left out: all. */
  readonly bytes?: number;
}

/** What the tools read, by the names that people call them. */
const TOOL_READS: Readonly<Record<string, ToolReads>> = {
  claude: { title: 'Claude Code', files: ['CLAUDE.md', '.claude/'], takes: 'all' },
  codex: {
    title: 'Codex',
    files: ['AGENTS.override.md', 'AGENTS.md'],
    takes: 'first',
    bytes: 32 * 1024,
  },
  copilot: {
    title: 'Copilot',
    files: ['AGENTS.md', '.github/copilot-instructions.md', '.github/instructions/'],
    takes: 'all',
  },
  cursor: { title: 'Cursor', files: ['AGENTS.md', '.cursor/rules/'], takes: 'all' },
  devin: { title: 'Devin', files: ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'], takes: 'all' },
  gemini: { title: 'Gemini CLI', files: ['GEMINI.md', '.gemini/'], takes: 'all' },
  opencode: { title: 'OpenCode', files: ['AGENTS.md', 'CLAUDE.md'], takes: 'first' },
  zed: {
    title: 'Zed',
    files: [
      ...['.rules', '.cursorrules', '.windsurfrules', '.clinerules', '.github/copilot-instructions.md'],
      ...['AGENT.md', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
    ],
    takes: 'first',
  },
};

/** The format that writes such a file. */
const FORMAT_OF: Readonly<Record<string, string>> = {
  'AGENTS.md': 'agents-md',
  'CLAUDE.md': 'claude',
  '.github/instructions/': 'copilot',
  '.cursor/rules/': 'cursor',
};

/** The tools whose reading is known. */
export const READING_TOOLS: readonly string[] = Object.keys(TOOL_READS);

/** A file that was written, and what stands beside it. */
interface WrittenFile {
  readonly path: string;
  readonly text: string;
  /** Whether there is a file at a path of the repository. */
  readonly isThere: (path: string) => boolean;
}

/** The files that could come before others for a tool. */
export const filesOfTool = (tool: string): readonly string[] =>
  Object.hasOwn(TOOL_READS, tool)
    ? (TOOL_READS[tool]?.files ?? []).filter((path) => !path.endsWith('/'))
    : [];

/** Why a tool does not read a file of the repository, or not the whole of it; undefined: it reads it. */
export function whyUnread(tool: string, { path, text, isThere }: WrittenFile): string | undefined {
  const reads = Object.hasOwn(TOOL_READS, tool) ? TOOL_READS[tool] : undefined;
  if (reads === undefined) return undefined;
  const { title, files, takes, bytes } = reads;
  const isOf = (each: string): boolean => (each.endsWith('/') ? path.startsWith(each) : path === each);
  const at = files.findIndex(isOf);
  if (at < 0) {
    const format = files.flatMap((file) => FORMAT_OF[file] ?? [])[0];
    const way = format === undefined ? '' : `. Export with --to ${format}`;
    return `${title} does not read ${path}: it reads ${files.join(', ')}${way}`;
  }
  const before = takes === 'first' ? files.slice(0, at).find(isThere) : undefined;
  if (before !== undefined) return `${title} reads ${before} here, and not ${path}`;
  const size = new TextEncoder().encode(text).length;
  if (bytes === undefined || size <= bytes) return undefined;
  return `${title} reads the first ${bytes} bytes of ${path}, which has ${size}`;
}
