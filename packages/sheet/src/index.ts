export { SHEET_CODES } from './codes.js';
export { FENCE_HEADER } from './compose.js';
export { sheetProfile } from './profile.js';
export type { SheetSource } from './source.js';
