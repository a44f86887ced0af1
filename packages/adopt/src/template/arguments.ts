import { quote } from '../diagnostic.js';
import { insideCodeSpan } from './code-spans.js';
import {
  mergeTokens,
  type ReadTemplate,
  type TemplateReader,
  type TemplateRemark,
  type TemplateToken,
} from './tokens.js';

/** What a command of a CLI agent may name. */
export interface ArgumentRules {
  /** Names of arguments, in order. */
  readonly names: readonly string[];
  /** From which number `$1` counts: tools differ, so nothing is assumed. */
  readonly first: 0 | 1 | undefined;
}

/** What Claude Code fills in by itself. Other names in `${…}` are text. */
const CLAUDE = /\$\{(CLAUDE_(?:SESSION_ID|EFFORT|SKILL_DIR|PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA))\}/;
const INDEXED = /\$ARGUMENTS(?:\[(\d+)\])?/;
const NUMBERED = /\$(\d+)(?!\d)/;
const NAMED = /\$([A-Za-z_]\w*)(?![[\w])/;
/**
 * A command that the tool runs when it sends the prompt, or a fence that begins with `!`. It looks for them after the
 * arguments are in: what stands before `!` may be nothing by then.
 */
const COMMAND = /(?<![`\\])!(?=(`[^`]+`))|```!/u;
/** One backslash alone makes text of the token behind it; two are two backslashes. */
const ESCAPED = /(?<!\\)\\(\$(?:\d+|ARGUMENTS|([A-Za-z_]\w*)(?![[\w])))/;
const TOKEN = new RegExp(
  [ESCAPED, INDEXED, NUMBERED, CLAUDE, NAMED, COMMAND].map(({ source }) => source).join('|'),
  'gu',
);
const PLAIN_NAME = /^(?!ARGUMENTS$)[A-Za-z_]\w*$/;

/** Whether a text holds anything that a command of a CLI agent does not send as it is written. */
export const namesArguments = (text: string): boolean =>
  [INDEXED, NUMBERED, CLAUDE, COMMAND].some((pattern) => pattern.test(text));

/** Commands of Claude Code and OpenCode: `$ARGUMENTS`, `$1`, `$name`, `` !`command` ``. */
export const argumentReader =
  ({ names, first }: ArgumentRules): TemplateReader =>
  (template): ReadTemplate => {
    const known = new Set(names.filter((name) => PLAIN_NAME.test(name)));
    const tokens: TemplateToken[] = [];
    const remarks: TemplateRemark[] = [];
    const isCode = insideCodeSpan(template);
    let isWhole = true;
    let takesArguments = false;
    let at = 0;
    const refuse = (start: number, codeOf: TemplateRemark['code'], message: string): void => {
      isWhole = false;
      remarks.push({
        code: codeOf,
        severity: 'warning',
        start,
        message: `${message}; the prompt was not imported`,
      });
    };
    const text = (until: number): void => {
      tokens.push({ kind: 'text', text: template.slice(at, until), start: at });
      at = until;
    };
    const variable = (name: string, start: number, end: number): void => {
      text(start);
      tokens.push({ kind: 'variable', name, start, end });
      at = end;
    };
    for (const name of oddNames(names)) {
      const start = template.indexOf(`$${name}`);
      if (start >= 0)
        refuse(start, 'W_IMPORT_NAME', `The argument ${quote(name)} has a name that is no single word`);
    }
    for (const match of template.matchAll(TOKEN)) {
      const [written, escaped, escapedName, indexed, numbered, claude, named, shell = ''] = match;
      const start = match.index;
      // Where arguments count from 1, the number in brackets is text.
      const isText = indexed !== undefined && first === 1;
      const end = start + (isText ? '$ARGUMENTS' : written).length;
      const number = isText ? undefined : (indexed ?? numbered);
      if (escaped !== undefined) {
        if (escapedName !== undefined && escapedName !== 'ARGUMENTS' && !known.has(escapedName)) continue;
        if (first === 1)
          refuse(
            start,
            'W_IMPORT_DIALECT',
            `${quote(written)} is text in Claude Code, and an argument in tools that count from 1`,
          );
        text(start);
        at = start + 1;
      } else if (written.startsWith('!') || written.startsWith('```')) {
        if (written.startsWith('```') || !isCode(start))
          refuse(
            start,
            'W_IMPORT_COMMAND',
            `${quote(`${written}${shell}`.slice(0, 60))} runs a command when the prompt is sent`,
          );
      } else if (numbered !== undefined && first === 0 && /\w/.test(template.charAt(end))) {
        // `$1st` is no argument where they count from 0.
      } else if (number !== undefined && first === undefined) {
        refuse(
          start,
          'W_IMPORT_DIALECT',
          `${quote(written)}: tools count arguments from 0 or from 1. Say which with --first-argument 0 or --first-argument 1`,
        );
      } else if (number !== undefined) {
        takesArguments = true;
        variable(`argument_${Number(number) - (first ?? 0) + 1}`, start, end);
      } else if (claude !== undefined) {
        remarks.push({
          code: 'W_IMPORT_DIALECT',
          severity: 'info',
          start,
          message: `${quote(written)} is filled by the tool; it became an input`,
        });
        variable(claude.toLowerCase(), start, end);
      } else if (named === undefined) {
        takesArguments = true;
        variable('arguments', start, end);
      } else if (known.has(named)) {
        takesArguments = true;
        variable(TAKEN.test(named) ? `$${named}` : named, start, end);
      }
    }
    text(template.length);
    if (!takesArguments)
      remarks.push({
        code: 'W_IMPORT_DIALECT',
        severity: 'info',
        start: 0,
        message:
          'The command names no arguments: the tool appends what is typed behind it, the sheet does not',
      });
    return isWhole ? { tokens: mergeTokens(tokens), remarks } : { remarks };
  };

/** Names that inputs have which no `arguments:` declares. */
const TAKEN = /^(?:arguments|argument_\d+|claude_\w+)$/;

/** Where a number stands for an argument that was not typed, the tool leaves the number. */
export const isNumbered = (name: string): boolean => /^argument_\d+$/.test(name);

/** Declared names that are more than a word; a number is none, and is never looked for. */
const oddNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name !== '' && !PLAIN_NAME.test(name) && !/^\d+$/.test(name));
