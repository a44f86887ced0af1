import { type Mutant, rows } from './rows.js';

/** The guards of `apps/cli`. */
export const CLI_MUTANTS: readonly Mutant[] = [
  {
    guard: 'turn.contract',
    package: 'packages/turn',
    file: 'apps/cli/src/commands/scenarios.test.ts',
    test: 'takes an answer that keeps its contract, corrects one that does not, and refuses the second',
  },
  ...rows('apps/cli', 'src/commands/manifests.test.ts', {
    'manifests.limit': 'reads no more than 64 MiB in all',
  }),
  ...rows('apps/cli', 'src/record/doors.test.ts', {
    'failure.credential':
      'an error repeats no credential, a name that holds one is refused, and a reason is kept without it',
    'call.name':
      'an error repeats no credential, a name that holds one is refused, and a reason is kept without it',
  }),
  ...rows('apps/cli', 'src/program-call/told-call.test.ts', {
    'call.told': 'a problem of a sheet is told to a program, without a credential',
  }),
  ...rows('apps/cli', 'src/run.test.ts', {
    'argv.unicode': "with 'a lone high surrogate' is refused",
  }),
  ...rows('apps/cli', 'src/input/lines.test.ts', {
    'stdin.utf8': 'bytes decode when they are UTF-8, and to nothing else',
    'line.limit': 'lines are the same wherever the stream is cut',
  }),
  ...rows('apps/cli', 'src/commands/bad-input.test.ts', {
    'stdin.limit': 'redact refuses standard input that is not text, and too much of it',
  }),
  ...rows('apps/cli', 'src/commands/redact.test.ts', {
    'line.unicode': 'answers a bad line in its place, goes on, and exits 1',
    'redact.leak': 'refuses a line from which something private survives: "a secret"',
  }),
  ...rows('apps/cli', 'src/import/import.test.ts', {
    'import.overwrite': 'never writes over a file: it shows the difference, and --update writes',
  }),
  ...rows('apps/cli', 'src/export/export.test.ts', {
    'export.edited': "never loses a hand edit: 'agents-md'",
  }),
  ...rows('apps/cli', 'src/import/passed.test.ts', {
    'import.passed': 'is told: a link that could hold a prompt, whatever it leads to',
  }),
  ...rows('apps/cli', 'src/export/place.test.ts', {
    'export.place': 'no two targets are ever written to one file, but as regions',
  }),
  ...rows('apps/cli', 'src/init/add.test.ts', {
    'init.overwrite':
      'leaves every file as it was, byte for byte; an ignore file only gains lines; a second time changes nothing',
  }),
  ...rows('apps/cli', 'src/commands/project.test.ts', {
    'explain.mask': 'masks confidential words around the place',
    'diff.mask': 'says that confidential text changed, and not what it says',
  }),
  ...rows('apps/cli', 'src/approvals/elsewhere.test.ts', {
    'run.outside':
      'a script from outside the project is not named in the record, and the run goes on with what it says',
  }),
  ...rows('apps/cli', 'src/run/same.test.ts', {
    'run.version': 'is done in this process, which says so, where the server is of another version',
  }),
  ...rows('apps/cli', 'src/commands/workflows.test.ts', {
    'run.unaccepted':
      'the package ../pkg, which nobody of the project wrote, is a stranger until a person accepts its bytes',
    'package.hash':
      'the package ../pkg, which nobody of the project wrote, is a stranger until a person accepts its bytes',
  }),
  ...rows('apps/cli', 'src/acp/talk.test.ts', {
    'acp.depth':
      'gets an error for a line without end, for one that is nested too deep and for one that is no UTF-8, and the next line is read',
    'acp.sessions': 'what a client may not say is answered with a code',
  }),
  ...rows('packages/api', 'src/asked.test.ts', {
    'asked.several': 'names each field where two commands stand in it',
    'asked.untold': 'is told whole: no text of a call is left out, whatever fields it stands in',
  }),
  ...rows('apps/cli', 'src/acp/parts.test.ts', {
    'acp.option': 'lets nothing through but the very option that allows',
  }),
  ...rows('apps/cli', 'src/mcp/resources.test.ts', {
    'mcp.text': 'the official client lists and reads rendered prompts, texts and runs, and nothing else',
  }),
  ...rows('apps/cli', 'src/mcp/mcp.test.ts', {
    'mcp.at-work': 'refuses more requests than it works on at once',
  }),
  ...rows('apps/cli', 'src/prompt-test/expect/expect.test.ts', {
    'test.pattern': 'bound the time of a pattern',
  }),
  ...rows('apps/cli', 'src/prompt-test/test-command.test.ts', {
    'test.snapshot': 'keeps snapshots, shows what changed, and lets go of what nobody asks for',
    'test.expected': 'tells what is not as expected, and why',
  }),
];
