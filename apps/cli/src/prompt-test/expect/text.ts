import { type Failed, short } from './failed.js';
import { findPattern } from './pattern.js';

export interface TextChecks {
  readonly contains?: string | readonly string[] | undefined;
  readonly absent?: string | readonly string[] | undefined;
  readonly matches?: string | readonly string[] | undefined;
}

/** What a text lacks, and has too much of. */
export function checkText(text: string, checks: TextChecks, path: string): readonly Failed[] {
  const failed: Failed[] = [];
  for (const wanted of listOf(checks.contains)) {
    if (text.includes(wanted)) continue;
    failed.push({
      path: `${path}.contains`,
      message: `"${short(wanted)}" is not in it: "${short(text, 300)}"`,
    });
  }
  for (const unwanted of listOf(checks.absent)) {
    const at = text.indexOf(unwanted);
    if (at === -1) continue;
    const around = text.slice(Math.max(0, at - 60), at + unwanted.length + 60);
    failed.push({
      path: `${path}.absent`,
      message: `"${short(unwanted)}" is in it: "…${short(around, 300)}…"`,
    });
  }
  for (const pattern of listOf(checks.matches)) {
    const found = findPattern(pattern, text);
    if (found === true) continue;
    const why = found === false ? `it does not match: "${short(text, 300)}"` : found;
    failed.push({ path: `${path}.matches`, message: `/${short(pattern)}/: ${why}` });
  }
  return failed;
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
