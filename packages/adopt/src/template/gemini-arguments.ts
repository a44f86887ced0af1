import { quote } from '../diagnostic.js';
import { mergeTokens, type ReadTemplate, type TemplateRemark, type TemplateToken } from './tokens.js';

/** Commands of Gemini CLI: exactly `{{args}}`; shell commands and files that the tool puts in are refused. */
export function readCommandArguments(template: string): ReadTemplate {
  const tokens: TemplateToken[] = [];
  const remarks: TemplateRemark[] = [];
  let isWhole = true;
  let takesArguments = false;
  let at = 0;
  for (const match of template.matchAll(/\{\{args\}\}|!\{|@\{[^}]*\}?/g)) {
    const [written] = match;
    if (written === '{{args}}') {
      tokens.push({ kind: 'text', text: template.slice(at, match.index), start: at });
      at = match.index + written.length;
      tokens.push({ kind: 'variable', name: 'args', start: match.index, end: at });
      takesArguments = true;
      continue;
    }
    isWhole = false;
    const isShell = written.startsWith('!');
    const shown = quote(isShell ? firstLine(template.slice(match.index, match.index + 60)) : written);
    remarks.push({
      code: isShell ? 'W_IMPORT_COMMAND' : 'W_IMPORT_REFERENCE',
      severity: 'warning',
      start: match.index,
      message: `${shown} is ${isShell ? 'run' : 'read'} by the tool when the prompt is sent; the prompt was not imported`,
    });
  }
  tokens.push({ kind: 'text', text: template.slice(at), start: at });
  if (!takesArguments)
    remarks.push({
      code: 'W_IMPORT_DIALECT',
      severity: 'info',
      start: 0,
      message:
        'The command names no arguments: the tool appends the typed line behind it, the sheet does not',
    });
  return isWhole ? { tokens: mergeTokens(tokens), remarks } : { remarks };
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
