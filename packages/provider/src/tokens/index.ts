export { loadTokenizer } from './tokenizer.js';
