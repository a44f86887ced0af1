export { type Completion, completeAt } from './feature/complete.js';
export type { FileEdit } from './feature/edit.js';
export { fixesFor } from './feature/fix.js';
export { notesOf, trustRanges } from './feature/hints.js';
export { cardAt } from './feature/hover.js';
export { type OutlineItem, type OutlineKind, outlineOf } from './feature/outline.js';
export { renameAt, renameTo } from './feature/rename.js';
export { createEditorProject, type EditorProject } from './project.js';
export { afterChanges, linesOfText, type TextLines, type TextRange, wordAt } from './text/lines.js';
