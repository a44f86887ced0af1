import { memorySource } from '@cuebook/files';
import { expect, it } from 'vitest';
import { findTeams } from './load.js';

it('finds the team files of a project, and none of the copies that runs work in', async () => {
  const paths = ['team.yaml', 'sub/night.team.yml', 'teams/deep/a.yaml', 'teams.yaml', 'sub/teams/b.yaml'];
  const copies = ['.cuebook/workspaces/run_1/node_1/team.yaml', 'sub/.cache/team.yaml'];
  const project = memorySource(Object.fromEntries([...paths, ...copies].map((path) => [path, ''])));
  if (!project.ok) throw new Error(project.error.code);
  expect(await findTeams(project.value)).toEqual(['sub/night.team.yml', 'team.yaml', 'teams/deep/a.yaml']);
});
