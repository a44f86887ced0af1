import { memorySource } from '@cuebook/files';
import { guard } from '@cuebook/guard';

/**
 * The one spelling of a path below a root, or undefined for one that leaves it or names the root itself. The
 * rules are those of every file source; no disk is asked.
 */
export function relativePath(path: string): string | undefined {
  if (!LEXICAL.ok) return undefined;
  const clean = LEXICAL.value.clean(path);
  if (guard('package.path', !clean.ok)) return undefined;
  const text = clean.ok ? clean.value : path;
  return text === '.' || text.startsWith('@') ? undefined : text;
}

const LEXICAL = memorySource({});
