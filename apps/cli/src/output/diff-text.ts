import type { Change, PromptDiff, Reach } from '@cuebook/prompt';
import type { TextOptions } from './render-text.js';
import { screenText } from './style.js';

/** What `diff --json` answers. */
export interface DiffAnswer extends PromptDiff {
  readonly before: string;
  readonly after: string;
  readonly reach: readonly Reach[];
}

/**
 * The comparison for people: origins, then obligations, tools and capabilities, then reach. Tokens of the shell
 * grammar are left out: they change with what stands between them.
 */
export function diffText(diff: DiffAnswer, { style, isTerminal }: TextOptions): string {
  const added = (text: string): string => style.green(`+ ${screenText(text, isTerminal)}\n`);
  const dropped = (text: string): string => style.red(`- ${screenText(text, isTerminal)}\n`);
  const section = (title: string, body: string): string =>
    body === '' ? '' : `\n${style.bold(title)}\n${body}`;
  const changes = <Item>({ dropped: old, added: now }: Change<Item>, text: (item: Item) => string): string =>
    old.map((item) => dropped(text(item))).join('') + now.map((item) => added(text(item))).join('');

  const told = diff.origins.filter(({ origin }) => !/^(?:structure|redaction) /.test(origin));
  const origins = told.map(({ origin, change, from, blocks, removedLines, addedLines }) => {
    const what = from === undefined ? change : `${change} from ${screenText(from, isTerminal)}`;
    const head = `${screenText(origin, isTerminal)} ${style.dim(`${what}, in ${blocks.join(', ')}`)}\n`;
    return head + removedLines.map(dropped).join('') + addedLines.map(added).join('');
  });
  const reach = diff.reach.map(
    ({ target, change, through }) =>
      `${target} ${change}${through.length === 0 ? '' : ` through ${through.join(', ')}`}\n`,
  );
  return [
    `${diff.before} → ${diff.after}: ${diff.same ? 'the same to the byte' : 'different'}\n`,
    section('By origin', origins.join('')),
    section(
      'By obligation',
      changes(diff.obligations, ({ force, text }) => `${force}: ${text}`),
    ),
    section('Tools', changes(diff.tools, String)),
    section('Capabilities', changes(diff.capabilities, String)),
    section('By reach', reach.join('')),
  ].join('');
}
