export { sheetProfile } from './profile.js';
