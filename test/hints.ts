import { actionName } from '../apps/cli/src/command.js';
import { COMMANDS } from '../apps/cli/src/commands.js';
import { parseCall } from '../apps/cli/src/program.js';

/** Why a command line of ours cannot be typed; undefined when the command table takes it. */
export async function hintProblem(line: string): Promise<string | undefined> {
  const [program, ...words] = shellWords(line);
  if (program !== 'cuebook') return `it does not begin with cuebook: ${line}`;
  if (words.length === 0) return undefined;
  const io = { typing: { program: 'cuebook' }, env: {}, terminal: { in: false, out: false, err: false } };
  try {
    const parsed = await parseCall(words, io as never);
    if (parsed.kind === 'text') return undefined;
    return actionProblem(parsed.command.name, parsed.call.args[0], line);
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} (${line})`;
  }
}

/** The words of a line as a shell reads them, up to a redirection. */
export function shellWords(line: string): readonly string[] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\[\s\S]|[^\s'"\\])+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"|\\([\s\S])/g,
      (_all, single, double, escaped) => single ?? double ?? escaped,
    ),
  );
  const end = words.findIndex((word) => /^[|>]/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** The first word of a command with actions is one of them. */
function actionProblem(name: string, action: string | undefined, line: string): string | undefined {
  const { actions } = COMMANDS.find((each) => each.name === name) ?? {};
  if (actions === undefined || action === undefined || !/^[a-z-]+$/.test(action)) return undefined;
  return actions.map(actionName).includes(action) ? undefined : `${name} has no action ${action} (${line})`;
}
