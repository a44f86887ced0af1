import type { Change, OrderChange, PromptDiff, Reach, ValueChange } from '@cuebook/prompt/diff';
import type { TextOptions } from './render-text.js';
import { screenText } from './style.js';

/** What `diff --json` answers. */
export interface DiffAnswer extends PromptDiff {
  readonly before: string;
  readonly after: string;
  /** Notes for people, which are never sent: see `meta` of sheets. */
  readonly meta?: readonly ValueChange[];
  readonly reach: readonly Reach[];
}

/**
 * The comparison for people: origins, then obligations, blocks, tools, parameters, labels and capabilities, then reach.
 * Tokens of the shell grammar are left out where anything else is told: they change with what stands between them.
 */
export function diffText(diff: DiffAnswer, { style, isTerminal }: TextOptions): string {
  const added = (text: string): string => style.green(`+ ${screenText(text, isTerminal)}\n`);
  const dropped = (text: string): string => style.red(`- ${screenText(text, isTerminal)}\n`);
  const section = (title: string, body: string): string =>
    body === '' ? '' : `\n${style.bold(title)}\n${body}`;
  const changes = <Item>({ dropped: old, added: now }: Change<Item>, text: (item: Item) => string): string =>
    old.map((item) => dropped(text(item))).join('') + now.map((item) => added(text(item))).join('');

  const value = (each: unknown): string => (typeof each === 'string' ? each : JSON.stringify(each));
  const values = (list: readonly ValueChange[]): string =>
    list
      .map(({ path, before, after }) => {
        const old = before === undefined ? '' : dropped(`${path}: ${value(before)}`);
        return old + (after === undefined ? '' : added(`${path}: ${value(after)}`));
      })
      .join('');
  const order = (what: string, { before, after }: OrderChange): string =>
    dropped(`${what}: ${before.join(', ')}`) + added(`${what}: ${after.join(', ')}`);

  const blocks = diff.blocks.map(({ block, moved, role, beside = [], order: sources }) => {
    const roles = role
      ? dropped(`${block}: role ${role.before}`) + added(`${block}: role ${role.after}`)
      : '';
    const named = beside.map((each) => ({ ...each, path: `${block}: ${each.path}` }));
    const words = moved ? added(`${block}: the same words stand in other blocks, or in another order`) : '';
    return words + roles + values(named) + (sources ? order(`${block}: order of sources`, sources) : '');
  });
  const { tools } = diff;
  const sections = [
    section(
      'By obligation',
      changes(diff.obligations, ({ force, text }) => `${force}: ${text}`),
    ),
    section('Blocks', blocks.join('') + (diff.blockOrder ? order('order of blocks', diff.blockOrder) : '')),
    section(
      'Tools',
      changes(tools, String) + values(tools.changed) + (tools.order ? order('order', tools.order) : ''),
    ),
    section('Parameters', values(diff.params)),
    section(
      'Labels',
      diff.labels
        .map(({ origin, label, before, after }) => {
          const where = `${origin}: ${label}`;
          return dropped(`${where} ${before.join(', ')}`) + added(`${where} ${after.join(', ')}`);
        })
        .join(''),
    ),
    section('Capabilities', changes(diff.capabilities, String)),
    section('Notes (meta, never sent)', values(diff.meta ?? [])),
  ];
  const words = diff.origins.filter(({ origin }) => !/^(?:structure|redaction) /.test(origin));
  const told = words.length === 0 && sections.every((each) => each === '') ? diff.origins : words;
  const origins = told.map(({ origin, change, from, blocks: where, removedLines, addedLines }) => {
    const what = from === undefined ? change : `${change} from ${screenText(from, isTerminal)}`;
    const head = `${screenText(origin, isTerminal)} ${style.dim(`${what}, in ${where.join(', ')}`)}\n`;
    return head + removedLines.map(dropped).join('') + addedLines.map(added).join('');
  });
  const reach = diff.reach.map(
    ({ target, change, through }) =>
      `${target} ${change}${through.length === 0 ? '' : ` through ${through.join(', ')}`}\n`,
  );
  return [
    `${diff.before} → ${diff.after}: ${diff.same ? 'the same to the byte' : 'different'}\n`,
    section('By origin', origins.join('')),
    ...sections,
    section('By reach', reach.join('')),
  ].join('');
}
