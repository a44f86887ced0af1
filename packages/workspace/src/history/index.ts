export { type AskGit, askGitIn } from './ask-git.js';
export { type Blame, blame, isoDate, parsePorcelain } from './blame.js';
export { hasWordsFrom, type LineThen, lineThen, wordsFrom, wordsThen } from './line-then.js';
export { findCommit, type RevisionError, type RevisionTexts, revisionSource } from './revision.js';
