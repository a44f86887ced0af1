import { quote } from '../diagnostic.js';
import { type GoPieces, goInputs, printGo } from './go.js';
import type { TemplateRemark } from './tokens.js';

/** The line that tells of a condition or loop in both of its forms. */
export function sectionRemark(written: string, pieces: GoPieces, start: number): TemplateRemark {
  const { json } = goInputs(pieces);
  const form = printGo(pieces, (name) => json.has(name)).replace(/\}\}.*$/s, '}}');
  const names = [...json].map((name) => quote(name));
  const list =
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  const how = names.length === 0 ? '' : `; pass ${list} as JSON`;
  const message = `${quote(written)} became ${quote(form, 120)} in a template${how}`;
  return { code: 'W_IMPORT_SECTION', severity: 'info', start, message };
}
