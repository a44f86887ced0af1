import type { EditorProject } from '../project.js';
import { linesOfText, type TextRange } from '../text/lines.js';
import { type ToldRange, toldRanges } from './told.js';

/** What is shown of a place: Markdown, about a part of the file. */
export interface PlaceCard {
  readonly markdown: string;
  readonly range: TextRange;
}

/** Targets of one file that are composed for it. */
const MAX_TARGETS = 4;
const MAX_LINES = 12;
const MAX_CHARS = 800;

/** What is known of a place of a file: the name that stands there, what is told from there, and with which labels. */
export async function cardAt(
  project: EditorProject,
  file: string,
  offset: number,
): Promise<PlaceCard | undefined> {
  const text = await project.text(file);
  if (text === undefined) return undefined;
  const lines = linesOfText(text);
  const index = await project.names();
  const name = index.at(file, offset);
  const targets = project.targetsOf(file);
  const told: ToldRange[] = [];
  for (const target of targets.slice(0, MAX_TARGETS)) {
    const composed = await project.composed(target);
    if (composed === undefined) continue;
    const here = toldRanges(composed, file, lines).filter(({ range }) => isIn(range, offset));
    // What is written here leads to more than the word that stands here itself.
    const led = here.filter(({ how }) => how === 'led');
    told.push(...(led.length > 0 ? led : here));
  }
  const parts: string[] = [];
  if (name !== undefined)
    parts.push(...describeName(name.kinds, name.name, index.definitions(name), index.same(name).length));
  parts.push(...describeTold(told, targets));
  if (parts.length === 0) return undefined;
  return {
    markdown: parts.join('\n\n'),
    range: name?.range ?? told[0]?.range ?? { start: offset, end: offset },
  };
}

const isIn = ({ start, end }: TextRange, offset: number): boolean => start <= offset && offset <= end;

function describeName(
  kinds: readonly string[],
  name: string,
  definitions: readonly { readonly file: string }[],
  uses: number,
): readonly string[] {
  const files = [...new Set(definitions.map(({ file }) => file))];
  const where =
    files.length === 0 ? 'not defined in this project' : `defined in ${files.map(code).join(', ')}`;
  return [`**${kinds[0]}** ${code(name)}: ${where}, ${uses} ${uses === 1 ? 'place' : 'places'}`];
}

function describeTold(told: readonly ToldRange[], targets: readonly string[]): readonly string[] {
  const [first] = told;
  if (first === undefined) return targets.length === 0 ? [] : [usedBy(targets)];
  const { target, block, role } = first;
  const same = told.filter((each) => each.target === target && each.block === block);
  const labels = [
    ...new Set(
      same.map(({ span }) => `trust ${span.trust}, ${span.secrecy}, changes per ${span.volatility}`),
    ),
  ];
  const via = first.span.origin.via ?? [];
  const chain = via.map(({ ref, line }) => code(line === undefined ? ref : `${ref}:${line}`));
  return [
    `Told in ${code(target)}, block ${code(block)} (${role}): ${labels.slice(0, 4).join('; ')}`,
    ...(chain.length === 0 ? [] : [`By way of ${chain.join(' → ')}`]),
    fenced(shorten(same.map(({ text }) => text).join(''))),
    ...(targets.length > 1 ? [usedBy(targets)] : []),
  ];
}

const usedBy = (targets: readonly string[]): string =>
  `Used by ${targets.slice(0, 8).map(code).join(', ')}${targets.length > 8 ? ` and ${targets.length - 8} more` : ''}`;

function shorten(text: string): string {
  const lines = text.split('\n');
  const cut = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS);
  return cut === text ? text : `${cut}…`;
}

/** A fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function code(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${plain}\`` : `${ticks} ${plain} ${ticks}`;
}
