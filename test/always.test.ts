import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../apps/cli/src/commands.js';
import { alwaysIn } from './always.js';
import { ROOT } from './root.js';

/** Where in `apps/cli/src` each command does what it is for in every `npm test`: a file and the title of a test in it. */
const SHOWN: Readonly<Record<string, readonly [file: string, title: string]>> = {
  init: ['commands/project.test.ts', 'answers in JSON'],
  check: ['commands/project.test.ts', 'reports every problem at once, with file, line and code, and exits 1'],
  render: ['commands/project.test.ts', 'answers exactly the document of the design'],
  explain: [
    'commands/project.test.ts',
    'names file, line and include chain for a byte inside an included text',
  ],
  blame: ['git/git.test.ts', 'adds commit, author and date of the line and of each include'],
  census: ['wire/wire.test.ts', 'is counted by how well its bytes answer'],
  diff: ['commands/diff.test.ts', 'people read every section'],
  types: ['program-call/prompt.test.ts', 'says what sheets take, and is told when it is old'],
  label: [
    'program-call/prompt.test.ts',
    'name the commit of a target; what was labelled is what is rendered',
  ],
  import: ['import/import.test.ts', 'writes sheets that check, and the same again changes nothing'],
  export: ['export/out-and-in.test.ts', 'is a fixed point: $to'],
  lsp: ['lsp/ending.test.ts', '%s, after any burst of edits'],
  run: ['run/hosted.test.ts', 'is gone on with, answered and watched at the server, whatever its kind'],
  providers: [
    'commands/providers.test.ts',
    'lists all of them where nothing is installed, with what is missing, and says that this is a rehearsal',
  ],
  up: ['team/team.test.ts', 'prints the link, serves others in this project, and stops when it is told to'],
  worker: ['run/worker.test.ts', 'does the work of a server that takes none'],
  people: ['commands/people.test.ts', 'adds, lists, changes and takes back'],
  quota: [
    'commands/quota.test.ts',
    'sets, lists and removes limits; a run in its own process counts, and is refused beyond them',
  ],
  schedule: ['commands/schedule.test.ts', 'adds, lists, pauses, resumes and removes'],
  webhook: ['commands/webhook.test.ts', 'adds, lists, rotates and removes; a secret is shown once'],
  attach: ['run/hosted.test.ts', 'is gone on with, answered and watched at the server, whatever its kind'],
  approvals: [
    'team/team.test.ts',
    'prints the link, serves others in this project, and stops when it is told to',
  ],
  roles: [
    'commands/roles.test.ts',
    'writes shipped templates as files to start from, which then count, and never over one',
  ],
  mcp: ['mcp/client.test.ts', 'lists and gets prompts, and calls tools'],
  acp: ['acp/talk.test.ts', 'who denies is heard: the call is not made, and the run knows'],
  test: ['prompt-test/test-command.test.ts', 'tells what is wrong with a file, and runs the others'],
  package: [
    'commands/workflows.test.ts',
    'the package %s, which nobody of the project wrote, is a stranger until a person accepts its bytes',
  ],
  eval: [
    'team/shown-link.test.ts',
    'the link to %s opens the server from a terminal, and is no key where somebody else reads along',
  ],
  compare: ['eval/compare.test.ts', 'says better, and writes Markdown, SARIF and JUnit'],
  ablate: ['eval/ablate.test.ts', 'leaves out obligations by default, and writes which cases notice them'],
  judge: [
    'eval/judge/judge.test.ts',
    '13: marks are given blind, agree or not, and are void when a byte of the judge changes',
  ],
  tune: [
    'eval/tune/tune.test.ts',
    'finds the proposal that is better on the held part, refuses the cheats, and answers with a patch',
  ],
  runs: ['commands/records.test.ts', 'exports a run and imports it where its key is trusted'],
  log: ['commands/records.test.ts', 'shows events as JSON lines with receipts in words, after a number'],
  replay: [
    'commands/records.test.ts',
    'gives one turn back as the render document, confidential text masked',
  ],
  prefix: ['wire/wire.test.ts', 'is told by what it repeats of the turn before'],
  verify: ['commands/records.test.ts', 'answers yes, with the head to note'],
  anchor: [
    'commands/anchor.test.ts',
    'finds an earlier copy of the whole home by an anchor that was exported, to a file, git and objects',
  ],
  keys: [
    'commands/records.test.ts',
    'replaces the key, and what the old one signed still verifies, also from a backup with the old key',
  ],
  card: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  bundle: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  platform: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  sync: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  agent: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  library: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  experiment: [
    'resident/first-hour.test.ts',
    'an operator brings two agents of one home to life without writing a line of YAML',
  ],
  operator: [
    'commands/operator.test.ts',
    'looks after the Agents of a cluster until it is stopped, and gives the lease back',
  ],
  fragments: [
    'cluster/live.test.ts',
    'lists libraries with every Agent of each key, and previews a change over all of them',
  ],
  template: ['commands/template.test.ts', 'renders a file with data and includes'],
  redact: ['commands/redact.test.ts', 'cleans standard input and says what kinds it removed'],
  help: ['run.test.ts', 'is the same page without arguments, with --help and as `help`'],
  __complete: ['completion/completion.test.ts', 'of $words offers $offers'],
  completion: ['completion/completion.test.ts', 'for %s name every command and ask for the rest'],
};

describe('every command', () => {
  it('has a scenario that always runs', () => {
    expect(Object.keys(SHOWN).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it.each(Object.entries(SHOWN))('%s: %j', (command, [file, title]) => {
    const code = readFileSync(join(ROOT, 'apps/cli/src', file), 'utf8');
    expect([...alwaysIn(file, code)]).toContain(title);
    expect(code).toMatch(new RegExp(`['\`]${command}['\` ]`));
  });
});

it('what has its turn, or runs in a soak alone, does not always run', () => {
  const titles = alwaysIn(
    'a.test.ts',
    `import { it as always, test } from 'vitest';
import { describeInSoak, describeInTurn, inTurn, itInSoak, itInTurn, itInTurn as it } from './runs.js';
it('a', () => {});
it.each([1])('b', () => {});
itInTurn('c', () => {});
itInSoak('d', () => {});
describeInSoak('e', () => { test('f', () => {}); });
describeInTurn('m', () => { test('n', () => {}); });
test.each(inTurn([1, 2]))('o', () => {});
always('g', () => { it('h', () => {}); });
describe('i', () => { test.each([1])(\`j \${1}k\`, () => {}); always.skipIf(false)('l', () => {}); });
`,
  );
  expect([...titles].sort()).toEqual(['g', 'j k', 'l', 'o']);
});
