import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

/**
 * Who opens a folder without withholding anything from its readers, and why: its paths are Cuebook's own or a person's.
 * A path that a model, an agent or a package names is opened with `withhold`. A name that ends in `/` covers a folder.
 */
const CHOSEN: Readonly<Record<string, string>> = {
  'apps/cli/src/acp/targets.ts': 'names of targets for a person to choose from',
  'apps/cli/src/mcp/servers.ts': 'cuebook.yaml',
  'apps/cli/src/project/logins.ts': 'CUEBOOK_HOME itself',
  'apps/cli/src/eval/link.ts': 'CUEBOOK_HOME itself',
  'apps/cli/src/lsp/workspace.ts': 'watches for changes, reads nothing',
  'apps/cli/src/commands/anchor.ts': 'where a person keeps anchors',
  'apps/cli/src/commands/card/edit.ts': 'a card that a person changes',
  'apps/cli/src/commands/card/new.ts': 'a card that a person makes',
  'apps/cli/src/commands/check.ts': 'watches for changes, reads nothing',
  'apps/cli/src/commands/complete.ts': 'names of targets for a shell',
  'apps/cli/src/commands/export.ts': 'files of the project that a person exports',
  'apps/cli/src/commands/init.ts': 'a project that a person makes',
  'apps/cli/src/commands/label.ts': 'labels of the project that a person sets',
  'apps/cli/src/commands/types.ts': 'writes types of the project, reads them to compare',
  'apps/cli/src/commands/platform/init.ts': 'a project that a person makes',
  'apps/cli/src/commands/providers.ts': 'cuebook.yaml',
  'apps/cli/src/commands/roles.ts': 'shipped templates that a person asks for',
  'apps/cli/src/commands/runs/restore.ts': 'CUEBOOK_HOME itself',
  'apps/cli/src/commands/test.ts': 'snapshots that a person keeps',
  'apps/cli/src/commands/verify.ts': 'a record that a person names',
  'apps/cli/src/commands/library/new.ts': 'a scenario of the project that a person hands in',
  'apps/cli/src/export/write.ts': 'CUEBOOK_HOME itself',
  'apps/cli/src/edit-text.ts': 'a scratch folder',
  'apps/cli/src/library/run-cases.ts': 'a scratch folder',
  'apps/cli/src/platform/keys.ts': 'key files that a person names',
  'apps/cli/src/platform/open.ts': 'the home of a platform',
  'apps/cli/src/platform/request-file.ts': 'a file that a person names',
  'apps/cli/src/project/named-file.ts': 'a file that a person names',
  'apps/cli/src/prompt-test/scratch.ts': 'a scratch folder',
  'apps/cli/src/record/journal.ts': 'CUEBOOK_HOME itself',
  'apps/cli/src/record/named-output.ts': 'a file that a person names',
  'apps/cli/src/resident/day.ts': 'a folder that a person names',
  'apps/cli/src/resident/init.ts': 'the folder of an agent that a person makes',
  'apps/cli/src/wire/called-wire.ts': 'cuebook.yaml',
  'apps/operator/src/connect/manifests.ts': 'manifests that are shipped',
  'apps/server/src/page/pages.ts': 'pages that are shipped',
  'apps/server/src/start/find-server.ts': 'CUEBOOK_HOME itself',
  'packages/host/src/head-commit.ts': 'the repository around the project',
  'packages/resident/src/agent-home.ts': 'the store and the root that a person configured',
  'packages/platform/src/home/': 'the home of a platform',
  'packages/journal/src/': 'CUEBOOK_HOME itself, and where a person keeps anchors',
  'packages/provider/src/catalog/detect.ts': 'where programs are',
  'packages/provider/src/catalog/look-up.ts': 'where programs are',
  'packages/provider/src/agent/session-files.ts': 'sessions of a CLI agent, each by its id',
  'packages/provider/src/gemini/session-minute.ts': 'sessions of a CLI agent',
  'packages/team/src/drive/sweep.ts': 'removes unfinished writes, reads nothing',
  'packages/team/src/profile/warned.ts': 'CUEBOOK_HOME itself',
  'packages/workspace/src/version/versions.ts': 'versions of the project below CUEBOOK_HOME',
  'packages/workspace/src/git/store.ts': 'CUEBOOK_HOME itself',
  'packages/workspace/src/place/project.ts': 'rules of git',
  'packages/bundle/src/objects/open.ts': 'an object store that a person configured',
  'packages/workflow/src/kind/update.ts': 'the state of a run',
  'packages/workflow/src/kind/load.ts': 'a package that a person names',
  'packages/workflow/src/run/run.ts': 'the state of a run',
};

it('every place that opens a folder withholds, or says who chose the folder', () => {
  const sources = workspaces()
    .flatMap(({ folder }) => (folder === 'packages/files' ? [] : filesUnder(`${folder}/src`, ['.ts'])))
    .filter((file) => !file.endsWith('.test.ts'));
  const open = sources.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return /\b(?:openFolder|openMounts)\(/.test(text) && !/\bwithhold\b/.test(text);
  });
  const places = Object.keys(CHOSEN);
  const covers = (place: string, file: string): boolean =>
    place.endsWith('/') ? file.startsWith(place) : file === place;
  expect(open.filter((file) => !places.some((place) => covers(place, file)))).toEqual([]);
  expect(places.filter((place) => !open.some((file) => covers(place, file)))).toEqual([]);
});
