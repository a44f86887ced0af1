import { quote } from '../diagnostic.js';
import { codeRanges, isWithin } from './code-spans.js';
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

const TOKEN =
  /\\\$(?=[A-Za-z0-9{])|\$ARGUMENTS(?:\[(\d+)\])?|\$(\d+)|\$\{(CLAUDE_[A-Z_]+)\}|\$([A-Za-z_]\w*)|(?<=^|\s)!`([^`\n]*)`|^```!/gm;

/** Commands of Claude Code and OpenCode: `$ARGUMENTS`, `$1`, `$name`, `` !`command` ``. */
export const argumentReader =
  ({ names, first }: ArgumentRules): TemplateReader =>
  (template): ReadTemplate => {
    const tokens: TemplateToken[] = [];
    const remarks: TemplateRemark[] = [];
    const code = codeRanges(template);
    let isWhole = true;
    let takesArguments = false;
    let at = 0;
    const refuse = (start: number, codeOf: TemplateRemark['code'], message: string): void => {
      isWhole = false;
      remarks.push({ code: codeOf, severity: 'warning', start, message });
    };
    const variable = (name: string, start: number, end: number): void => {
      tokens.push(
        { kind: 'text', text: template.slice(at, start), start: at },
        { kind: 'variable', name, start, end },
      );
      takesArguments = true;
      at = end;
    };
    for (const match of template.matchAll(TOKEN)) {
      const [written, indexed, numbered, claude, named] = match;
      const end = match.index + written.length;
      const number = indexed ?? numbered;
      if (written === '\\$') {
        tokens.push({ kind: 'text', text: template.slice(at, match.index), start: at });
        at = match.index + 1;
      } else if (written.startsWith('!') || written.startsWith('```')) {
        if (written.startsWith('```') || !isWithin(code, match.index))
          refuse(
            match.index,
            'W_IMPORT_COMMAND',
            `${quote(written)} runs a command when the prompt is sent; the prompt was not imported`,
          );
      } else if (number !== undefined && first === undefined) {
        refuse(
          match.index,
          'W_IMPORT_DIALECT',
          `${quote(written)}: tools count arguments from 0 or from 1. Say which with --first-argument 0 or --first-argument 1; the prompt was not imported`,
        );
      } else if (number !== undefined)
        variable(`argument_${Number(number) - (first ?? 0) + 1}`, match.index, end);
      else if (claude !== undefined) {
        remarks.push({
          code: 'W_IMPORT_DIALECT',
          severity: 'info',
          start: match.index,
          message: `${quote(written)} is filled by the tool; it became an input`,
        });
        variable(claude.toLowerCase(), match.index, end);
      } else if (named === undefined) variable('arguments', match.index, end);
      else if (names.includes(named)) variable(named, match.index, end);
    }
    tokens.push({ kind: 'text', text: template.slice(at), start: at });
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
