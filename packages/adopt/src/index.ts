export { type AdoptDiagnostic, isLoss } from './diagnostic.js';
export type { ImportDraft } from './draft.js';
export { inputUses, labelInputs, type TrustChoice } from './label-inputs.js';
export { mergeAdopted } from './merge.js';
export { type AdoptedFile, printFiles } from './print-files.js';
export type { ForeignFile, FormatReader, ReadHow } from './reader.js';
export { emptyCall, type McpArgument, markerCalls } from './readers/mcp-calls.js';
export { READERS, readerOf } from './readers.js';
export { findRegion, findUnmarked, isUntouched, printRegion, regionsOf } from './region.js';
export { templateFacts } from './template/back/tree.js';
export { filesOfTool, READING_TOOLS, whyUnread } from './tool-reads.js';
export type {
  ExportCase,
  ExportMessage,
  ExportPart,
  ExportPrompt,
  FormatWriter,
  OutputFile,
} from './writer.js';
export { WRITERS, writerOf } from './writers.js';
