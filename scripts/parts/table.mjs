// @ts-check
import { AGENTS, OPENCODE, PROMPTFOO } from './agents.mjs';
import { hasCeph } from './ceph.mjs';
import { GO_PROGRAM, isRightGo, prepareGo } from './go.mjs';
import { isRightProgram, placesOf, prepareProgram } from './npm-program.mjs';

/**
 * A real program that tests run against.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} programs any one of these on the path is the part
 * @property {readonly string[]} places where installers put it when not on the path
 * @property {readonly string[]} debian the packages that bring it
 * @property {(path: string) => boolean} [isRight] whether a program found is the one meant; left out: any is
 * @property {() => Promise<string | undefined>} [prepare] brings it without touching the system, in place of
 *   installing packages; answers what went wrong
 * @property {string} otherwise how to get it on other systems
 * @property {boolean} [inSoak] only a soak uses it, so `npm test` does not bring it
 * @property {readonly string[]} usedBy the test files that ask for it; a part nobody uses is not installed
 */

/** @type {readonly Part[]} */
export const PARTS = [
  {
    name: 'git',
    programs: ['git'],
    places: [],
    debian: ['git'],
    otherwise: 'install git (https://git-scm.com)',
    usedBy: [
      'test/docs.test.ts',
      'test/machine-paths.test.ts',
      'apps/cli/src/built.test.ts',
      'apps/cli/src/git/blame-history.test.ts',
      'apps/cli/src/git/git.test.ts',
    ],
  },
  {
    name: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    places: [
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debian: ['chromium'],
    otherwise: 'install Chromium or Chrome so that `chromium` or `google-chrome` is on the path',
    usedBy: [
      'test/browser.test.ts',
      'apps/web/test/comparison.test.ts',
      'apps/web/test/fragments.test.ts',
      'apps/web/test/injection.test.ts',
      'apps/web/test/library-platform.test.ts',
      'apps/web/test/sign-in.test.ts',
      'apps/web/test/team-work.test.ts',
      'apps/web/test/web.test.ts',
    ],
  },
  {
    name: 'nvim',
    programs: ['nvim'],
    places: [],
    debian: ['neovim'],
    otherwise: 'install Neovim (https://neovim.io) so that `nvim` is on the path',
    usedBy: ['apps/cli/src/lsp/neovim.test.ts'],
  },
  {
    name: 'postgres',
    programs: ['postgres'],
    places: versioned('/usr/lib/postgresql', 'bin/postgres'),
    debian: ['postgresql'],
    otherwise: 'install PostgreSQL so that `postgres` is on the path',
    usedBy: [
      'packages/engine/src/seal/seal.test.ts',
      'packages/engine/test/given-up-jobs.test.ts',
      'packages/engine/test/kill.test.ts',
      'packages/engine/test/newer-jobs.test.ts',
      'packages/engine/test/outage.test.ts',
      'packages/engine/test/skewed.test.ts',
      'packages/engine/test/workers.test.ts',
      'packages/host/test/clocks.test.ts',
      'packages/host/test/quota-roll.test.ts',
      'packages/journal/src/postgres/connection.test.ts',
      'packages/journal/src/postgres/latency.test.ts',
      'packages/journal/src/postgres/postgres.test.ts',
      'packages/journal/src/postgres/projects.test.ts',
      'packages/journal/src/postgres/refused.test.ts',
      'packages/journal/src/postgres/verify.test.ts',
      'packages/journal/src/register/proof.test.ts',
      'packages/journal/src/register/vouch.test.ts',
      'packages/journal/src/schema/older-layouts.test.ts',
      'packages/journal/src/shared/shared-home.test.ts',
      'packages/journal/src/store/differential.test.ts',
      'packages/journal/src/store/kill.test.ts',
      'apps/cli/src/commands/private-log.test.ts',
      'apps/cli/src/commands/runs/between-databases.test.ts',
      'apps/cli/src/run/compose.test.ts',
      'apps/cli/src/run/lost-machine.test.ts',
      'apps/cli/src/run/many-kill.test.ts',
      'apps/cli/src/run/worker.test.ts',
      'apps/server/test/drain.test.ts',
      'apps/server/test/health.test.ts',
      'apps/server/test/hosts-kill.test.ts',
      'apps/server/test/labels.test.ts',
      'apps/server/test/many.test.ts',
      'apps/server/test/older-layouts.test.ts',
      'apps/server/test/older-workers.test.ts',
      'apps/server/test/people.test.ts',
      'apps/server/test/quota.test.ts',
      'apps/server/test/schedules.test.ts',
      'apps/server/test/sealed.test.ts',
      'apps/server/test/sign-in.test.ts',
      'apps/server/test/start-away.test.ts',
      'apps/server/test/stop.test.ts',
      'apps/server/test/updates-kill.test.ts',
      'apps/server/test/updates-machines.test.ts',
      'apps/server/test/versions.test.ts',
      'apps/server/test/webhooks.test.ts',
      'apps/server/test/workers.test.ts',
    ],
  },
  {
    name: 'caddy',
    programs: ['caddy'],
    places: [],
    debian: ['caddy'],
    otherwise: 'install Caddy (https://caddyserver.com) so that `caddy` is on the path',
    usedBy: ['apps/server/test/proxy.test.ts'],
  },
  {
    name: 's3',
    programs: ['radosgw'],
    places: [],
    debian: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
    isRight: hasCeph,
    otherwise: 'install Ceph with its object gateway so that `radosgw` is on the path',
    usedBy: [
      'packages/bundle/src/objects/s3.test.ts',
      'packages/platform/src/entry/s3.test.ts',
      'packages/platform/src/renewal/s3.test.ts',
      'apps/cli/src/commands/anchor.test.ts',
      'apps/server/test/archive.test.ts',
    ],
  },
  {
    name: 'go',
    programs: ['go'],
    places: ['/usr/local/go/bin/go', GO_PROGRAM],
    debian: [],
    isRight: isRightGo,
    prepare: prepareGo,
    otherwise: 'install Go 1.27 (https://go.dev/dl) so that `go` is on the path',
    usedBy: ['packages/template/test/differential.test.ts', 'packages/template/test/wide.test.ts'],
  },
  cliAgent(AGENTS.claude, [
    'packages/adopt/test/claude-real.test.ts',
    'packages/provider/src/claude/claude-real-failure.test.ts',
    'packages/provider/src/claude/claude-real.test.ts',
    'packages/provider/test/capabilities.test.ts',
    'packages/provider/test/choke.test.ts',
    'packages/team/test/unseen-calls.test.ts',
    'apps/cli/src/mcp/claude-real.test.ts',
  ]),
  cliAgent(AGENTS.codex, [
    'packages/provider/src/codex/codex-real.test.ts',
    'packages/provider/test/capabilities.test.ts',
    'packages/provider/test/choke.test.ts',
    'packages/team/test/unseen-calls.test.ts',
  ]),
  cliAgent(AGENTS.gemini, [
    'packages/provider/src/acp/acp-real.test.ts',
    'packages/provider/src/gemini/gemini-real.test.ts',
    'packages/provider/test/capabilities.test.ts',
    'packages/provider/test/choke.test.ts',
    'packages/team/test/unseen-calls.test.ts',
  ]),
  {
    ...cliAgent(OPENCODE, ['packages/team/test/unseen-calls.test.ts']),
    programs: [],
    otherwise: `it is for a soak alone: ${OPENCODE.spec} in the cache folder`,
    inSoak: true,
  },
  {
    ...cliAgent(PROMPTFOO, ['packages/adopt/test/promptfoo-real.test.ts']),
    programs: [],
    otherwise: `it is for a soak alone: ${PROMPTFOO.spec} in the cache folder`,
    inSoak: true,
  },
];

/**
 * The places of a program that installers keep one of for each major version, newest first.
 *
 * @param {string} folder
 * @param {string} program
 */
function versioned(folder, program) {
  return [18, 17, 16, 15].map((version) => `${folder}/${version}/${program}`);
}

/**
 * A CLI agent: one on the path if its version fits, else our own in the cache folder.
 *
 * @param {import('./npm-program.mjs').NpmProgram} agent
 * @param {readonly string[]} usedBy
 * @returns {Part}
 */
function cliAgent(agent, usedBy) {
  return {
    name: agent.name,
    programs: [agent.name],
    places: placesOf(agent),
    debian: [],
    isRight: isRightProgram(agent),
    prepare: prepareProgram(agent),
    otherwise: `npm install -g ${agent.spec}`,
    usedBy,
  };
}
