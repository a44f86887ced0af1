import { quote } from '../diagnostic.js';
import { mergeTokens, type ReadTemplate, type TemplateRemark, type TemplateToken } from './tokens.js';

/** Prompt files of VS Code: `${input:name}` and `${input:name:hint}`; other variables of the editor are refused. */
export function readEditorInputs(template: string): ReadTemplate {
  const tokens: TemplateToken[] = [];
  const remarks: TemplateRemark[] = [];
  let isWhole = true;
  let at = 0;
  for (const { start, written, isInput, rest } of placeholders(template)) {
    const name = (rest.split(':')[0] ?? '').trim();
    const isNested = written.includes('${', 2);
    if (isNested ? !FILLED.test(written) : !isInput && !FILLED.test(written)) continue;
    if (isNested || !isInput || name === '') {
      isWhole = false;
      const why = isNested ? 'is a placeholder inside of another one' : 'is filled by the editor';
      const message = `${quote(written)} ${why}; the prompt was not imported`;
      remarks.push({ code: 'W_IMPORT_HELPER', severity: 'warning', start, message });
      continue;
    }
    const hint = rest.slice(rest.indexOf(':') + 1);
    if (rest.includes(':'))
      remarks.push({
        code: 'W_IMPORT_DEFAULT',
        severity: 'info',
        start: start,
        message: `The hint ${quote(hint)} of ${quote(name)} is not kept in the sheet`,
      });
    tokens.push({ kind: 'text', text: template.slice(at, start), start: at });
    at = start + written.length;
    tokens.push({ kind: 'variable', name, start: start, end: at });
  }
  tokens.push({ kind: 'text', text: template.slice(at), start: at });
  return isWhole ? { tokens: mergeTokens(tokens), remarks } : { remarks };
}

/** What an editor puts in; other words in braces are text. */
const FILLED =
  /\$\{(?:input:|(?:workspaceFolder|workspaceFolderBasename|file|fileBasename|fileDirname|selection|selectedText)\b)/;

interface Placeholder {
  readonly start: number;
  readonly written: string;
  readonly isInput: boolean;
  /** What stands behind `${` or `${input:`. */
  readonly rest: string;
}

/** Every `${…}` that is closed on its line; where the next closing brace or line end is, is looked for once. */
function placeholders(template: string): readonly Placeholder[] {
  const found: Placeholder[] = [];
  let stop = -1;
  for (let start = template.indexOf('${'); start >= 0; start = template.indexOf('${', start)) {
    if (stop < start) {
      STOP.lastIndex = start;
      stop = STOP.exec(template)?.index ?? template.length;
    }
    if (template[stop] === '}') {
      const written = template.slice(start, stop + 1);
      const isInput = written.startsWith(INPUT);
      found.push({ start, written, isInput, rest: written.slice(isInput ? INPUT.length : 2, -1) });
      start = stop;
    } else start += 2;
  }
  return found;
}

const INPUT = '${input:';
const STOP = /[}\n]/g;
