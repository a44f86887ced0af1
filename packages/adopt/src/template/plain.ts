import { quote } from '../diagnostic.js';
import {
  isInherited,
  looksLikeName,
  mergeTokens,
  type ReadTemplate,
  type TemplateRemark,
  type TemplateToken,
} from './tokens.js';

/**
 * `{{name}}` and nothing else, for formats whose renderer is a service: OpenAI prompts, GitHub Models. Only what every
 * engine reads alike is taken; a tag of any other form, or a brace that touches one, refuses the template.
 */
export function readPlain(template: string): ReadTemplate {
  const tokens: TemplateToken[] = [];
  const remarks: TemplateRemark[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    tokens.push({ kind: 'text', text: template.slice(at, open < 0 ? template.length : open), start: at });
    if (open < 0) break;
    const close = template.indexOf('}}', open + 2);
    if (close < 0) {
      const message = 'A tag is opened with {{ and not closed; the prompt was not imported';
      return { remarks: [...remarks, { code: 'E_IMPORT_SYNTAX', severity: 'error', start: open, message }] };
    }
    const name = template.slice(open + 2, close).trim();
    if (!looksLikeName(name) || isInherited(name) || name.includes('.')) {
      const written = quote(template.slice(open, close + 2));
      const code = /^[#^/]/.test(name)
        ? 'W_IMPORT_SECTION'
        : /^[>&{=!]/.test(name)
          ? 'W_IMPORT_HELPER'
          : 'W_IMPORT_NAME';
      const message = `${written} is not a plain {{name}}; the prompt was not imported`;
      remarks.push({ code, severity: 'warning', start: open, message });
    }
    tokens.push({ kind: 'variable', name, start: open, end: close + 2 });
    at = close + 2;
  }
  return remarks.length > 0 ? { remarks } : { tokens: mergeTokens(tokens), remarks };
}
