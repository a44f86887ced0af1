export { type AskGit, askGitIn } from './ask-git.js';
export { type Blame, blame, isoDate, parsePorcelain } from './blame.js';
export { type LineThen, lineThen, wordsFrom } from './line-then.js';
