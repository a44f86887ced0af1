import type { RunKind } from '@cuebook/host';
import { describeKind, projectFile } from '../../host/test/conformance.js';
import { createTeamHost } from '../src/host/host.js';
import { teamRuns } from '../src/kind/team-kind.js';

const NODE = 'alias: lead, role: orchestrator';
const team = (node: string): string =>
  `goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ ${node} }]\n`;

/** A team host for each process. */
const kind = (): RunKind => ({
  name: 'team',
  prefixes: ['team'],
  begins: 'run.started',
  attach({ fault, ...ground }) {
    const limits = { leaseMs: ground.leaseMs };
    const team = createTeamHost({ ...ground, limits, ...(fault && { fault: { engine: fault } }) });
    return teamRuns(team).attach(ground);
  },
});

const call = (name: string, args: object): object => ({
  text: `I act.\n${JSON.stringify({ tool_call: { name, args } })}`,
});
const command = (cmd: string): object => call('command', { cmd });
const dev = (mode: string) => ({
  options: {
    team: team(
      `alias: lead, role: implementer, workspace: shared, permissions: { cliPermissionsMode: ${mode} }`,
    ),
  },
});

describeKind('a team', {
  kind,
  files: { 'team.yaml': team(NODE) },
  target: 'team:team.yaml',
  shownTarget: null,
  call: {},
  script: (steps) => JSON.stringify({ lanes: { lead: steps } }),
  afterWords: 'waiting',
  told: { text: 'orchestrator', ref: 'orchestrator' },
  edit: { file: 'team.yaml', from: 'Work.', to: 'Labour.' },
  asks: {
    step: command('printf Bob > paid.txt'),
    changed: { cmd: 'printf Eve > paid.txt' },
    isDone: (stand) => projectFile(stand, 'paid.txt'),
    done: 'Bob',
    changedTo: 'Eve',
    call: dev('gated'),
  },
  stalls: call('no_such_tool', {}),
  doubts: {
    step: command('printf noted >> noted.txt'),
    hit: 2,
    isDone: (stand) => projectFile(stand, 'noted.txt'),
    done: 'noted',
    call: dev('skip'),
  },
});
