export { type AdoptDiagnostic, isLoss } from './diagnostic.js';
export { labelInputs } from './label-inputs.js';
export { type AdoptedFile, printFiles } from './print-files.js';
export { READERS, readerOf } from './readers.js';
