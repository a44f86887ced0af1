/**
 * A command line of ours for a person to type: `commandLine\`runs apply ${run}\`` is `cuebook runs apply run_1`. Values
 * are quoted for the shell; words in capitals stand for what the person knows. The command says it as it was called
 * itself, with its project.
 */
export const commandLine = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  `${PROGRAM} ${String.raw({ raw: words }, ...values.map((value) => shellWord(String(value))))}`;

/** The same inside a sentence: in backticks, by which `withHints` finds it again. */
export const hint = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  `\`${commandLine(words, ...values)}\``;

/** A sentence with each of its hints as `say` puts it. A hint ends at the first backtick that is not quoted. */
export const withHints = (sentence: string, say: (line: string) => string): string =>
  sentence.replace(HINT, (_whole, line: string) => `\`${say(line)}\``);

/** One word of a command line. What would pass for a flag is taken for a path. */
export const shellWord = (text: string): string => quoted(text.startsWith('-') ? `./${text}` : text);

/** Text as one word for a shell. */
export const quoted = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** What every command line of ours begins with. */
export const PROGRAM = 'cuebook';

/** A word that begins with # is a remark to a shell, one with = a program to some. */
const PLAIN = /^[\w./:@%+,-][\w./:@#%+=,-]*$/;
const HINT = /`(cuebook(?: (?:'[^']*'|\\'|[^'`\\\n])*)?)`/g;
