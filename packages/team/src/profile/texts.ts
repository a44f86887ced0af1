import type { SourceText } from '@cuebook/profile';
import type { Labels } from '@cuebook/prompt';
import type { TeamSource } from '../file/load.js';
import type { TeamFile } from '../file/schema.js';
import type { RoleTemplate } from '../role/template.js';

const LABELS: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

/** Every text of a team file that a model may be told: goal, points of done, words of nodes, and their templates. */
export function textsOfTeam({ team, yaml, roles }: TeamSource): readonly SourceText[] {
  const paths: readonly (readonly PropertyKey[])[] = [
    ['goal'],
    ...team.done.map((_, index) => ['done', index]),
    ...team.nodes.flatMap((_, index) => [
      ['nodes', index, 'prompt'],
      ['nodes', index, 'override'],
    ]),
  ];
  const own = paths.map((path) => ({ pieces: yaml.pieces(path, LABELS), fix: FIX }));
  return [...own, ...rolesOf(team, roles).map(textOfRole)];
}

/** The text of a role template. */
export const textOfRole = ({ file, text }: RoleTemplate): SourceText => ({
  pieces: [{ text, origin: { kind: 'file', ref: file, line: 1, column: 1 }, ...LABELS }],
  fix: FIX,
});

const FIX =
  'Nothing is filled in here: write the words themselves, or write it as `code` if the model is to see it';

/** The templates of the nodes of a team, each once. */
export const rolesOf = (team: TeamFile, roles: ReadonlyMap<string, RoleTemplate>): readonly RoleTemplate[] =>
  [...new Set(team.nodes.flatMap(({ role }) => [role]))].flatMap((role) => roles.get(role) ?? []);

/** The file of a template, where it is one of the project. */
export const ownFile = ({ file, source }: RoleTemplate): readonly string[] =>
  source === 'repository' ? [file] : [];
