import { quote } from '../diagnostic.js';
import {
  isInherited,
  looksLikeName,
  mergeTokens,
  type ReadTemplate,
  type TemplateRemark,
  type TemplateToken,
} from './tokens.js';

/** f-strings as `@langchain/core` reads them: a name is everything between two braces, doubled braces are text. */
export function readFString(template: string): ReadTemplate {
  const tokens: TemplateToken[] = [];
  const remarks: TemplateRemark[] = [];
  const stop = (start: number, message: string): ReadTemplate => ({
    remarks: [...remarks, { code: 'E_IMPORT_SYNTAX', severity: 'error', start, message }],
  });
  let isWhole = true;
  let at = 0;
  while (at < template.length) {
    const char = template[at] as string;
    if ((char === '{' || char === '}') && template[at + 1] === char) {
      tokens.push({ kind: 'text', text: char, start: at });
      at += 2;
    } else if (char === '}') {
      return stop(at, 'A single } stands in the template: the library refuses it. Text needs }}');
    } else if (char === '{') {
      const close = template.indexOf('}', at);
      if (close < 0) return stop(at, 'A { is not closed: the library refuses the template. Text needs {{');
      const name = template.slice(at + 1, close);
      const remark = judge(name, at);
      if (remark !== undefined) remarks.push(remark);
      if (remark !== undefined && remark.severity !== 'info') isWhole = false;
      tokens.push({ kind: 'variable', name, start: at, end: close + 1 });
      at = close + 1;
    } else {
      BRACE.lastIndex = at;
      const next = BRACE.exec(template)?.index ?? template.length;
      tokens.push({ kind: 'text', text: template.slice(at, next), start: at });
      at = next;
    }
  }
  return isWhole ? { tokens: mergeTokens(tokens), remarks } : { remarks };
}

const BRACE = /[{}]/g;

function judge(name: string, start: number): TemplateRemark | undefined {
  const shown = quote(`{${name}}`);
  if (!looksLikeName(name.trim()) || isInherited(name.trim()))
    return {
      code: 'W_IMPORT_NAME',
      severity: 'warning',
      start,
      message: `${shown} does not name a variable; the prompt was not imported`,
    };
  if (name !== name.trim() || name.includes('.'))
    return {
      code: 'W_IMPORT_DIALECT',
      severity: 'info',
      start,
      message: `${shown} is looked up as the name ${quote(name)} in JavaScript and read in another way in Python`,
    };
  return undefined;
}
