import { guard } from '@cuebook/guard';
import { escapeBody } from '@cuebook/prompt';

/** The headers of the blocks that only Cuebook writes. */
export const SHELL_HEADERS = [
  'RUN_DIRECTIVE',
  'NODE_BRIEF',
  'STATE_SUMMARY',
  'DATA_CONTEXT',
  'USER_INPUT',
  'WIDGET_SUBMIT',
  'PERSONA_TEXT',
] as const;

/** What keeps a text from standing on one line of a block, if anything does. */
export function lineProblem(text: string): string | undefined {
  if (guard('package.one-line', BREAK.test(text))) return 'it has a line break or a control character';
  return guard('package.structure', isStructure(text)) ? 'it would be read as structure' : undefined;
}

/**
 * The line of a longer text, from 1, that forges a block of ours or a tool call, if there is one. Lists, labels
 * and headings are fine there: an author writes them.
 */
export function forgedLine(text: string): number | undefined {
  const lines = text.split(BREAKS);
  const at = lines.findIndex((line) => isStructure(line) && isForgery(line));
  return guard('package.structure', at !== -1) ? at + 1 : undefined;
}

const BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const BREAKS = /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/;

/** As the kernel reads lines: look-alike letters and invisible characters do not help. */
const isStructure = (line: string): boolean => !line.startsWith('\\') && escapeBody(line) !== line;

/** Headers and tool calls by the letters that are left when everything else is gone. */
function isForgery(line: string): boolean {
  const plain = line.normalize('NFKC');
  if (/[{]/.test(plain)) return true;
  const letters = plain.replace(/[^A-Z0-9]/g, '');
  return RESERVED.some((header) => letters === header || letters === `${header}END`);
}

const RESERVED = SHELL_HEADERS.map((header) => header.replaceAll('_', ''));
