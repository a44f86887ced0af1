export { type ComparisonDocument, type ComparisonInput, comparisonDocument } from './comparison/document.js';
export { comparisonMarkdown, comparisonText } from './comparison/view.js';
