import { quote } from '../diagnostic.js';
import { mergeTokens, type ReadTemplate, type TemplateRemark, type TemplateToken } from './tokens.js';

/** Prompt files of VS Code: `${input:name}` and `${input:name:hint}`; other variables of the editor are refused. */
export function readEditorInputs(template: string): ReadTemplate {
  const tokens: TemplateToken[] = [];
  const remarks: TemplateRemark[] = [];
  let isWhole = true;
  let at = 0;
  for (const match of template.matchAll(/\$\{(input:)?([^}\n]*)\}/g)) {
    const [written, isInput, rest = ''] = match;
    const name = (rest.split(':')[0] ?? '').trim();
    if (
      isInput === undefined &&
      !/^(?:workspaceFolder|workspaceFolderBasename|file|fileBasename|fileDirname|selection|selectedText)\b/.test(
        rest,
      )
    )
      continue;
    if (isInput === undefined || name === '') {
      isWhole = false;
      remarks.push({
        code: 'W_IMPORT_HELPER',
        severity: 'warning',
        start: match.index,
        message: `${quote(written)} is filled by the editor; the prompt was not imported`,
      });
      continue;
    }
    const hint = rest.slice(rest.indexOf(':') + 1);
    if (rest.includes(':'))
      remarks.push({
        code: 'W_IMPORT_DEFAULT',
        severity: 'info',
        start: match.index,
        message: `The hint ${quote(hint)} of ${quote(name)} is not kept in the sheet`,
      });
    tokens.push({ kind: 'text', text: template.slice(at, match.index), start: at });
    at = match.index + written.length;
    tokens.push({ kind: 'variable', name, start: match.index, end: at });
  }
  tokens.push({ kind: 'text', text: template.slice(at), start: at });
  return isWhole ? { tokens: mergeTokens(tokens), remarks } : { remarks };
}
