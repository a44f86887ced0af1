import type { TextRange } from '../text/lines.js';

/** One change of the files of a project. */
export type FileEdit =
  | { readonly kind: 'replace'; readonly file: string; readonly range: TextRange; readonly text: string }
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  | { readonly kind: 'move'; readonly file: string; readonly to: string };
