import type { ApprovalView, JsonValue } from '@cuebook/api';
import type { Style } from '../../output/style.js';

/**
 * What awaits a person, in full: the very command, what would become of a file, the node that is to be made. A text of
 * more lines than `maxLines` is cut, and says how to see the rest.
 */
export function approvalText(approval: ApprovalView, style: Style, maxLines = 40): string {
  const who = approval.alias ?? approval.node ?? 'a node';
  const why = approval.reason === null ? '' : style.dim(` because ${approval.reason}`);
  const lines = [
    `${style.yellow('?')} ${style.bold(who)} asks for ${style.bold(approval.tool)}${why}`,
    ...cut(bodyOf(approval, style), maxLines).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line of it, for a list. */
export function approvalLine({ tool, input, alias, node }: ApprovalView): string {
  const said = fieldsOf(input);
  const subject = said.cmd ?? said.command ?? said.path ?? said.file_path ?? JSON.stringify(input);
  return `${alias ?? node ?? '?'}  ${tool}  ${subject.replace(/\s+/g, ' ').slice(0, 100)}`;
}

function bodyOf({ input, changes }: ApprovalView, style: Style): readonly string[] {
  if (changes !== undefined) return changes.flatMap((each) => changeLines(each, style));
  const { cmd, command, path, file_path: filePath, content, cwd, ...rest } = fieldsOf(input);
  const run = cmd ?? command;
  const file = path ?? filePath;
  const others = Object.entries(rest).map(([key, value]) => `${key}: ${value}`);
  return [
    ...(run === undefined ? [] : run.split('\n').map((line, index) => `${index === 0 ? '$' : '>'} ${line}`)),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(file === undefined ? [] : [file]),
    ...(content === undefined ? [] : content.split('\n').map((line) => style.green(`+${line}`))),
    ...others.flatMap((text) => text.split('\n')),
  ];
}

/** An edit: what goes and what comes. */
const changeLines = (
  { file, patch }: NonNullable<ApprovalView['changes']>[number],
  style: Style,
): readonly string[] => [file, ...patch.split('\n').map((line) => coloured(line, style))];

function coloured(line: string, style: Style): string {
  if (line.startsWith('+')) return style.green(line);
  if (line.startsWith('-')) return style.red(line);
  return line.startsWith('@@') ? style.dim(line) : line;
}

const cut = (lines: readonly string[], max: number): readonly string[] =>
  lines.length <= max
    ? lines
    : [...lines.slice(0, max), `… ${lines.length - max} more lines: \`view\` shows them all`];

/** The fields of an input as texts. */
function fieldsOf(input: JsonValue): Readonly<Record<string, string>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { input: JSON.stringify(input) };
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
