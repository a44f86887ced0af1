import { type InputBook, inputsFor } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftPart, DraftRole, DraftSheet, DraftText, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile } from '../reader.js';
import type { LineColumn } from '../text/mapped.js';

/** An instruction file on its way to a sheet of one message. */
export interface Instruction {
  readonly file: ForeignFile;
  readonly format: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly role: DraftRole;
  readonly parts: readonly DraftPart[];
  readonly texts?: readonly DraftText[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly capabilities?: readonly string[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly book?: InputBook;
}

/**
 * The sheet of an instruction file. A body that is text alone becomes `texts/NAME.md`, byte for byte, so that people go on
 * writing Markdown; a body with inputs or includes stands in the sheet.
 */
export function instructionSheet(instruction: Instruction, report: Reporter): ImportDraft {
  const {
    file,
    format,
    name,
    title,
    role,
    parts,
    texts = [],
    params = {},
    capabilities = [],
    meta = {},
    book,
  } = instruction;
  const [only] = parts;
  const isPlain = parts.length === 1 && only !== undefined && 'text' in only;
  const text: readonly DraftText[] = isPlain ? [{ name, markdown: only.text }] : [];
  if (parts.every((part) => 'text' in part && part.text.trim() === '')) {
    report.warning('W_IMPORT_EMPTY', { line: 1, column: 1 }, 'The file has no text; it was not imported');
    return { sheets: [], texts: [], cases: [], diagnostics: report.found };
  }
  const blocks = [{ name: 'instructions', role, parts: isPlain ? [{ include: name }] : parts }];
  const known = new Map([...texts, ...text].map((each) => [each.name, each]));
  const sheet: DraftSheet = {
    name,
    ...(title === undefined ? {} : { title }),
    meta: { source: provenance(file, format), ...meta },
    params,
    tools: [],
    capabilities,
    inputs: book === undefined ? new Map() : inputsFor(blocks, book, known),
    blocks,
  };
  return { sheets: [sheet], texts: [...known.values()], cases: [], diagnostics: report.found };
}

/** A name that a file gives itself, as a sheet in a folder has it; another name than the file's is told. */
export function givenName(
  folder: string,
  name: string,
  at: LineColumn | undefined,
  report: Reporter,
): string {
  const wish = `${folder}/${name}`;
  const given = sheetName(wish);
  if (given !== wish)
    report.info('W_IMPORT_NAME', at, `The name ${quote(name)} became the sheet ${quote(given)}`);
  return given;
}

/** Files whose name says what they are, and what their sheet is called. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  'CLAUDE.md': 'claude',
  'CLAUDE.local.md': 'claude-local',
  'AGENTS.md': 'agents-md',
  'AGENTS.override.md': 'agents-md-override',
  'AGENT.md': 'agent-md',
  'GEMINI.md': 'gemini',
  '.cursorrules': 'cursor',
  'copilot-instructions.md': 'copilot',
};

/** The sheet or text of a Markdown file: `pkg/CLAUDE.md` is `pkg/claude`, `docs/style.md` is `docs/style`. */
export function nameOfFile(path: string): string {
  const parts = path.replace(/^(?:\.\/)+/, '').split('/');
  const last = parts.pop() ?? '';
  const known = Object.hasOwn(WELL_KNOWN, last) ? WELL_KNOWN[last] : undefined;
  const folders = parts.filter((part) => !['.claude', '.github', '.gemini', '.cursor'].includes(part));
  return sheetName([...folders, known ?? last.replace(/\.[A-Za-z]+$/, '')].join('/'));
}
