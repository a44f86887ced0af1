import { type ApprovalView, askedParts, type JsonValue } from '@cuebook/api';
import type { Style } from '../../output/style.js';

/**
 * What awaits a person, in full: the very command, what would become of a file, the node that is to be made, and every
 * other field of the call. A text of more lines than `maxLines` is cut, and says how to see the rest. What an agent wrote
 * stands behind signs that are ours, so that none of its lines passes for one of them.
 */
export function approvalText(approval: ApprovalView, style: Style, maxLines = 40): string {
  const who = oneLine(approval.alias ?? approval.node ?? 'a node');
  const why = approval.reason === null ? '' : style.dim(` because ${oneLine(approval.reason)}`);
  const lines = [
    `${style.yellow('?')} ${style.bold(who)} asks for ${style.bold(oneLine(approval.tool))}${why}`,
    ...cut(bodyOf(approval, style), maxLines).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line of it, for a list. It ends in `…` where there is more. */
export function approvalLine({ tool, input, changes = [], alias, node }: ApprovalView): string {
  const { command, file, rest } = askedParts({ input, changes });
  const subject = command ?? file ?? changes[0]?.file ?? JSON.stringify(input);
  const parts = [...changes, command, file, rest].filter((part) => part !== undefined);
  const isAll = parts.length <= 1;
  const line = subject.trim().replace(/\s+/g, ' ');
  const shown = line.slice(0, MAX_LINE).toWellFormed();
  return `${alias ?? node ?? '?'}  ${oneLine(tool)}  ${shown}${isAll && shown === line ? '' : ' …'}`;
}

const MAX_LINE = 100;

function bodyOf(approval: ApprovalView, style: Style): readonly string[] {
  const { changes = [] } = approval;
  const { command, file, rest } = askedParts(approval);
  return [
    ...changes.flatMap((each) => changeLines(each, style)),
    ...(command === undefined ? [] : behind('$ ', command)),
    ...(file === undefined ? [] : [oneLine(file)]),
    ...(rest === undefined ? [] : restLines(rest, style)),
  ];
}

/** An edit: what goes and what comes. */
const changeLines = (
  { file, patch }: NonNullable<ApprovalView['changes']>[number],
  style: Style,
): readonly string[] => [oneLine(file), ...patch.split('\n').map((line) => coloured(line, style))];

/** The other fields, each with its name; new text of a file as such. */
function restLines(rest: JsonValue, style: Style): readonly string[] {
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) return [JSON.stringify(rest)];
  return Object.entries(rest).flatMap(([key, value]) => {
    if (key === 'cwd') return [`in ${oneLine(textOf(value))}`];
    if (key === 'content' && typeof value === 'string')
      return value.split(LINE_END).map((line) => style.green(`+${line}`));
    return behind(`${/^\w[\w.-]*$/.test(key) ? key : oneLine(JSON.stringify(key))}: `, textOf(value));
  });
}

/** A text behind a sign; its further lines stand behind one of their own. */
const behind = (sign: string, text: string): readonly string[] =>
  text.split(LINE_END).map((line, index) => `${index === 0 ? sign : '> '}${line}`);

/** In quotes where it has line ends, and as it is where it has none. */
const oneLine = (text: string): string =>
  LINE_END.test(text) ? JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029]/g, spellOut) : text;

const spellOut = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whatever some reader takes for the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

function coloured(line: string, style: Style): string {
  if (line.startsWith('+')) return style.green(line);
  if (line.startsWith('-')) return style.red(line);
  if (line.startsWith('@@')) return style.dim(line);
  return OF_PATCH.test(line) ? line : `| ${line}`;
}

/** How lines of a patch begin. Any other is words of an agent that tells its changes itself. */
const OF_PATCH = /^(?:[ \\]|$|(?:diff|index|new|deleted|old|similarity|rename|copy|Binary) )/;

const cut = (lines: readonly string[], max: number): readonly string[] =>
  lines.length <= max
    ? lines
    : [...lines.slice(0, max), `… ${lines.length - max} more lines: \`view\` shows them all`];

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));
