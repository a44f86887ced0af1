import { hint } from '@cuebook/prompt/hint';
import { type Command, type CommandHandler, flagsOf, isOn, visible } from '../command.js';
import { usage } from '../failure.js';
import { told, typed } from '../hint/typed.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';

/** `cuebook help`: all commands, one command, or what an error code means and how to fix it. */
export const run: CommandHandler = async ({ args, flags, io, tree }) => {
  const topic = args[0];
  const commands = visible(tree.commands);
  const json = isOn(flags, 'json');
  if (topic === undefined) {
    await (json
      ? printJson(io, { commands: commands.map((each) => describe(each, io)) })
      : io.exact((await tree.help()) ?? ''));
    return 0;
  }
  const command = commands.find(({ name }) => name === topic);
  if (command !== undefined) {
    await (json ? printJson(io, describe(command, io)) : io.exact((await tree.help(topic)) ?? ''));
    return 0;
  }
  // Codes come with every package there is: loaded only when one is looked up.
  const { ALL_CODES } = await import('../all-codes.js');
  const code = topic.toUpperCase();
  const entry = Object.hasOwn(ALL_CODES, code) ? ALL_CODES[code] : undefined;
  if (entry !== undefined) {
    const style = styleFor(io, 'out');
    const cause = told(io, entry.cause);
    const fix = told(io, entry.fix);
    const text = `${style.bold(code)}: ${entry.title}\n\n${cause}\n\n${style.bold('Fix:')} ${fix}\n`;
    await (json ? printJson(io, { code, ...entry, cause, fix }) : io.exact(text));
    return 0;
  }
  const { nearest } = await import('@cuebook/prompt');
  const isCode = /^[EW]_/i.test(topic);
  const meant = nearest(topic, isCode ? Object.keys(ALL_CODES) : commands.map(({ name }) => name));
  const advice = meant === undefined ? `${hint`help`} lists the commands.` : `Did you mean ${meant}?`;
  throw usage(`No ${isCode ? 'code' : 'command or code'} is called "${topic}". ${advice}`);
};

const describe = (command: Command, io: Io) => ({
  name: command.name,
  summary: command.summary,
  args: command.args.map(({ name, required, description }) => ({ name, required, description })),
  flags: flagsOf(command).map(({ name, value, description }) => ({
    name,
    value: value ?? null,
    description,
  })),
  examples: command.examples.map((line) => typed(io, line)),
});
