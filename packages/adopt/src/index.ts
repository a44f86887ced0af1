export { type AdoptDiagnostic, isLoss } from './diagnostic.js';
export type { Adopted } from './draft.js';
export { labelInputs, type TrustChoice } from './label-inputs.js';
export { mergeAdopted } from './merge.js';
export { type AdoptedFile, printFiles } from './print-files.js';
export type { Reader, ReadHow, SourceFile } from './reader.js';
export { READERS, readerOf } from './readers.js';
