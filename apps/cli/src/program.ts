import { commandLine, hint } from '@cuebook/prompt/hint';
import { CommanderError, Help, Option, Command as Program } from 'commander';
import { type Call, type Command, type CommandAction, type Flag, type Flags, flagsOf } from './command.js';
import { COMMAND_GROUPS, COMMANDS } from './commands.js';
import { usage } from './failure.js';
import { told, typed } from './hint/typed.js';
import type { Io } from './io.js';
import { columns, lineWidth, paragraph } from './output/columns.js';
import { styleFor } from './output/style.js';
import { flagsWithInputs, INPUTS, inputExamples, kindIn } from './table/inputs.js';
import { VERSION } from './version.js';

/** What the arguments ask for: a command to run, or text to print and be done. */
export type ParsedArguments =
  | { readonly kind: 'call'; readonly command: Command; readonly call: Call }
  | { readonly kind: 'text'; readonly text: string };

/**
 * Reads the arguments by the command tree. Commander does the reading; the tree stays the only place that
 * says what there is. A call that does not fit throws `Failure` with a suggestion.
 */
export async function parseCall(argv: readonly string[], io: Io): Promise<ParsedArguments> {
  const tree = await buildProgram(io, argv[0], kindIn(argv.slice(1)));
  try {
    if (argv.length === 0) tree.program.outputHelp();
    else await tree.program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'text', text: tree.printed() };
    const isOver = error.code === 'commander.excessArguments';
    const said = isOver ? tooMany(argv) : sentence(error.message) + exampleFor(error.code, argv[0], io);
    throw usage(renamed(error, argv[0]) ?? said);
  }
  const parsed = tree.parsed();
  return parsed ?? { kind: 'text', text: tree.printed() };
}

/** What an option is called now, for who types the name that it had. */
function renamed({ code, message }: CommanderError, name: string | undefined): string | undefined {
  if (code !== 'commander.unknownOption') return undefined;
  const old = /'--([^'=]+)/.exec(message)?.[1] ?? '';
  const { flags = [] } = COMMANDS.find((command) => command.name === name) ?? {};
  const now = flags.find(({ formerly }) => formerly?.includes(old));
  return now && `--${old} is called --${now.name} now: --${now.name} ${now.value ?? ''}`.trim();
}

/** What a call that lacks something looks like when it is whole: the first example of the command. */
function exampleFor(code: string, name: string | undefined, io: Io): string {
  if (code !== 'commander.missingMandatoryOptionValue' && code !== 'commander.missingArgument') return '';
  const { examples = [], shown = [] } = COMMANDS.find((command) => command.name === name) ?? {};
  const [first] = [...examples, ...shown];
  return first === undefined ? '' : `. For example: ${typed(io, first)}`;
}

/** That a command got more words than it takes, and where words belong. */
function tooMany([name = '', ...words]: readonly string[]): string {
  const args = COMMANDS.find((command) => command.name === name)?.args ?? [];
  const named = args.map((each) => each.name).join(', ');
  const takes = args.length === 1 ? `one argument, ${named}` : `at most ${args.length} arguments, ${named}`;
  const said = `Too many arguments: ${name} takes ${args.length === 0 ? 'options only' : takes}`;
  const kind = kindIn(words);
  const inputs = INPUTS.find(({ prefix }) => prefix === kind)?.flags ?? [];
  const options = inputs.map((flag) => `--${flag.name}`);
  return options.length === 0 || kind === undefined
    ? `${said}. See ${hint`${name} --help`}`
    : `${said}. Give what ${kind}: takes as an option (${options.join(', ')}): see ${hint`${name} ${kind}: --help`}`;
}

/** The help page of one command, or of all with an undefined name. */
async function helpPage(io: Io, name: string | undefined): Promise<string | undefined> {
  const { program, printed } = await buildProgram(io, name);
  const page = name === undefined ? program : program.commands.find((each) => each.name() === name);
  page?.outputHelp();
  return page === undefined ? undefined : printed();
}

interface Built {
  readonly program: Program;
  readonly parsed: () => ParsedArguments | undefined;
  readonly printed: () => string;
}

/**
 * With the name of a command it has that one alone, and its input flags; with any other word, all of them. Help shows the
 * flags of a kind of target when that kind is named.
 */
async function buildProgram(io: Io, name: string | undefined, kind?: string): Promise<Built> {
  const named = COMMANDS.filter((command) => command.name === name);
  let parsed: ParsedArguments | undefined;
  let printed = '';
  const program = new Program('cuebook')
    .description('What your agents are told: composed, explained, checked and compared.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined })
    .configureHelp({
      styleTitle: (title) => styleFor(io, 'out').bold(title),
      // Where there is no room beside a term, its description stands below it.
      formatItem: (term, termWidth, description, helper) => {
        const width = helper.helpWidth ?? 80;
        return width - termWidth - 4 >= helper.minWidthToWrap || width >= 80
          ? Help.prototype.formatItem.call(helper, term, termWidth, description, helper)
          : `  ${term}\n${paragraph(description, width - 6).replace(/^/gm, '      ')}`;
      },
      // Every command has options: to say so in each line only makes the lines too long.
      subcommandTerm: (each) => `${each.name()} ${each.usage().replace(/^\[options\] ?/, '')}`.trimEnd(),
    })
    .addHelpText('after', `${examplesText(FIRST_EXAMPLES, io)}\n\n${paragraph(AFTER_HELP, lineWidth(io))}`);
  for (const command of named.length > 0 ? named : COMMANDS) {
    const examples = [...command.examples, ...(command.shown ?? [])];
    const group = COMMAND_GROUPS.find(({ commands }) => commands.includes(command));
    const sub = program
      .command(command.name, { hidden: command.hidden === true })
      .helpGroup(group?.title ?? '')
      .summary(command.summary)
      .description(told(io, [`${command.summary}.`, command.details].filter(Boolean).join('\n\n')))
      .helpOption('-h, --help', 'show this page')
      .allowExcessArguments(false)
      .exitOverride()
      .action((...received: unknown[]) => {
        parsed = { kind: 'call', command, call: toCall(received, sub, io) };
      });
    for (const { name, required, variadic, description } of command.args) {
      const dots = variadic === true ? `${name}...` : name;
      sub.argument(required ? `<${dots}>` : `[${dots}]`, description);
    }
    const takesInput = command.takesInput === true && named.length > 0;
    const flags = takesInput ? flagsWithInputs(command, kind) : flagsOf(command);
    for (const flag of flags) sub.addOption(toOption(flag, io, kind));
    if (takesInput) examples.push(...inputExamples(command.name, kind));
    const kinds = kind === undefined ? kindsText(command.name, flags, io) : '';
    if (command.hidden === true) sub.allowUnknownOption().helpOption(false);
    else
      sub.addHelpText('after', actionsText(command.actions ?? [], io) + kinds + examplesText(examples, io));
  }
  return { program, parsed: () => parsed, printed: () => printed };
}

/** What the first argument may be. */
const actionsText = (actions: readonly CommandAction[], io: Io): string =>
  actions.length === 0
    ? ''
    : `\n${styleFor(io, 'out').bold('Actions:')}\n${columns(
        actions.map(([call, does]) => [call, told(io, does)]),
        lineWidth(io),
      )}\n`;

/** How to see the options that only one kind of target has. */
function kindsText(command: string, flags: readonly Flag[], io: Io): string {
  const kinds = [...new Set(flags.flatMap((flag) => flag.kinds ?? []))];
  if (kinds.length === 0) return '';
  const line = typed(io, commandLine`${command} ${kinds[0] ?? ''}: --help`);
  return `\n${paragraph(`More options belong to one kind of target: ${kinds.join(', ')}. Name the kind to see them:`, lineWidth(io))}\n  $ ${line}\n`;
}

function toOption(flag: Flag, io: Io, kind: string | undefined): Option {
  const { name, short, value, description, repeatable, required, kinds, except = [] } = flag;
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const option = new Option(value === undefined ? names : `${names} <${value}>`, told(io, description));
  if (required === true) option.makeOptionMandatory();
  const isOf = kind !== undefined && kinds?.includes(kind) === true;
  if ((kinds !== undefined && !isOf) || (kind !== undefined && except.includes(kind))) option.hideHelp();
  if (kinds !== undefined && kind !== undefined) option.helpGroup(`Options of ${kind}: targets:`);
  if (repeatable === true) {
    option.argParser((next: string, before: readonly string[] | undefined) => [...(before ?? []), next]);
  }
  return option;
}

/** Commander hands over the arguments, then its options by camelCase name, then the command. */
function toCall(received: readonly unknown[], sub: Program, io: Io): Call {
  const flags: Record<string, Flags[string]> = {};
  for (const option of sub.options) {
    const value: unknown = sub.getOptionValue(option.attributeName());
    if (value !== undefined) flags[option.name()] = value as Flags[string];
  }
  const args = received.slice(0, -2).flat();
  const tree = { commands: COMMANDS, help: (name?: string) => helpPage(io, name) };
  return { args: args.filter((arg): arg is string => typeof arg === 'string'), flags, io, tree };
}

const examplesText = (examples: readonly string[], io: Io): string =>
  examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  $ ${typed(io, line)}`).join('\n')}`;

const FIRST_EXAMPLES = [
  commandLine`init my-desk`,
  commandLine`render sheet:review`,
  commandLine`help render`,
];
const AFTER_HELP =
  'Exit codes: 0 success, 1 the answer is no, 2 wrong usage, 3 something is missing on this machine.';

/** Commander's `error: …\n(Did you mean x?)` as one sentence. */
const sentence = (message: string): string => {
  const text = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
