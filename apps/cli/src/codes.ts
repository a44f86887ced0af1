import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of the command itself. */
export const CLI_CODES = {
  E_NO_TARGET: {
    title: 'Nothing to check',
    cause: 'The project has no target, or the file that was named is part of none, so nothing was looked at.',
    fix: `Write a sheet or a definition, or name something elsewhere: ${hint`check workflow:DIR`}, ${hint`check -f FILE`}.`,
  },
  E_USAGE: {
    title: 'The call was wrong',
    cause: 'A command, flag or argument is unknown, missing, or has the wrong form; the message says which.',
    fix: `Run ${hint`help COMMAND`}: it shows the arguments, the flags and examples.`,
  },
  E_NO_PROJECT: {
    title: 'No project here',
    cause: 'Neither this folder nor one above it has `cuebook.yaml`, `sheets/` or `agents/`.',
    fix: `Go to the project, name it with \`--project DIR\`, start one with ${hint`init`}, or bring prompts of other tools in with ${hint`import`}.`,
  },
  E_WOULD_OVERWRITE: {
    title: 'Files are in the way',
    cause: 'The command writes new files only, and what the message names already exists.',
    fix: `Choose an empty folder, such as ${hint`init DIR`}, or another name for the file.`,
  },
  E_AT: {
    title: 'No such place in the prompt',
    cause: '`--at` is not a byte offset, `line:column` or words of the prompt, or is outside of it.',
    fix: `Give a byte offset from 0, \`line:column\` counted from 1, or words that stand in the prompt; ${hint`render TARGET`} shows the prompt.`,
  },
  E_TYPES: {
    title: 'The types are not up to date',
    cause: 'The file of types is missing, or the sheets take something else than it says.',
    fix: `Write it again: ${hint`types`}.`,
  },
  E_CONTEXT: {
    title: 'The context file does not fit',
    cause: 'The file given with `--context` is not JSON of the form `{ roots, private, names }`.',
    fix: 'Write `{ "roots": [["@alias", "PATH"]], "private": ["PATH"], "names": ["NAME"] }`; `credentials` and `public` are optional lists.',
  },
  E_LINE: {
    title: 'A line that cannot be read',
    cause: 'A line of standard input is not JSON of the form `{ "id": ..., "input": ... }`, or is too long.',
    fix: 'Write one JSON object a line, in UTF-8, with the keys `id` and `input`.',
  },
  E_RUN_UNKNOWN: {
    title: 'No such run',
    cause: 'No run on record has that id, or several begin with it.',
    fix: `${hint`runs`} lists them; a beginning that only one run has is enough.`,
  },
  E_MCP_BUSY: {
    title: 'Too many requests at once',
    cause: `A client of ${hint`mcp`} has more requests at work than the server takes.`,
    fix: 'Wait for answers before asking for more.',
  },
  E_MCP_LOGIN_FAILED: {
    title: 'No login at a server',
    cause:
      'The login at an MCP server was not agreed to, took too long, or was not taken by the server. An earlier login stays.',
    fix: 'The message says which. Try again, and agree in the browser; see that `url` of the server in cuebook.yaml is right.',
  },
  E_MCP_STOPPED: {
    title: 'A tool that did not come to an answer',
    cause:
      'The function took too long, ended its process, or was interrupted. Whether it acted is not known.',
    fix: 'Look whether it acted before calling it again; in the function, bound what it waits for.',
  },
  E_ACP_BUSY: {
    title: 'A session that is at work, or too many of them',
    cause: `A client of ${hint`acp`} sent a prompt while another of the same session is answered, wanted another target for a session that has started, or has too many sessions open.`,
    fix: 'Wait for the answer or cancel it; begin another session for another target; close sessions that are not used.',
  },
  E_ACP_SESSION: {
    title: 'No such session',
    cause: `A client of ${hint`acp`} named a session that is not open, or that no run of the project is the record of.`,
    fix: `Begin a session, or load one whose id is that of a run: ${hint`runs`} lists them.`,
  },
  E_ACP_PROMPT: {
    title: 'A prompt that a run does not take',
    cause: `A prompt for ${hint`acp`} has no text, has images or audio, or is too long with the files that the editor put into it.`,
    fix: 'Send text, name files instead of embedding them, or shorten it.',
  },
  E_ACP_MODE: {
    title: 'No such mode',
    cause: `A client of ${hint`acp`} wanted a mode for a session that is not a run of a team, or one that does not exist.`,
    fix: 'Choose PLANNING or IMPLEMENTATION for a team that is at work.',
  },
  E_TEST_FILE: {
    title: 'A file of cases that does not fit',
    cause: `A file for ${hint`test`} has a key or value that it cannot have; the message names it.`,
    fix: 'Correct the line that the message names. docs/user/testing.md lists every key.',
  },
  E_TEST_NONE: {
    title: 'No case to test',
    cause: 'There is no file of cases, or none of them fits what the call names.',
    fix: 'Write cases beside a prompt (agents/prompts/NAME.test.yaml) or in tests/, or name others.',
  },
  E_EVAL_NONE: {
    title: 'Nothing to score',
    cause:
      'No case that the call names says what an answer must be, or several files ask for different things.',
    fix: 'Give cases an `answer`, or the file `metrics`; or name one file of cases.',
  },
  E_EVAL_BUDGET: {
    title: 'A plan over its budget',
    cause:
      'What the takes will cost at least is more than --budget allows, or no price is known to hold it against.',
    fix: 'Plan fewer takes or cases, raise --budget, or run it anyway with --yes.',
  },
  E_COMPARE_SAME: {
    title: 'Nothing to compare',
    cause: 'Base and candidate give the same request in every case, byte for byte.',
    fix: 'Name another revision, or an edit that changes words of these cases.',
  },
  E_COMPARE_DRIFT: {
    title: 'A recorded turn that cannot be rebuilt byte for byte',
    cause:
      'Composed again from its own pieces, the turn gives other bytes: the gates or what is private here are not those of then.',
    fix: 'Compare other turns, or write the turn down as a case.',
  },
  W_COMPARE_SHARE: {
    title: 'What a changed origin does to a metric',
    cause: 'A comparison found that the change of this origin moves the primary metric.',
    fix: 'Look at the change; take it back where it does harm.',
  },
  E_ABLATE_NONE: {
    title: 'Nothing to leave out',
    cause:
      'The prompt has no unit of the kind asked for: public words of its author, in a file of the project.',
    fix: 'Ask for another kind: --units part or --units origin.',
  },
  W_ABLATE_UNIT: {
    title: 'What a unit of a prompt does',
    cause:
      'An ablation found that leaving these words out makes answers better, or that no case exercises them.',
    fix: 'Remove words that harm; write a case for words that no case exercises.',
  },
  E_JUDGE_FILE: {
    title: 'A judge that cannot be used',
    cause:
      'judges/NAME.yaml is missing, has a key or value that it cannot have, or changed while a run was at work.',
    fix: 'Write asks (one question), anchors with good and bad answers, and if you like provider and model.',
  },
  E_JUDGE_ANCHORS: {
    title: 'A judge that does not tell its anchors apart',
    cause:
      'The judge passed an answer that its file calls bad, failed one that it calls good, or could not be understood. Nothing else was asked.',
    fix: 'Say the question so that yes means good; remove anchors that are wrong; or use another model.',
  },
  W_DUPLICATE_OBLIGATION: {
    title: 'A prompt says the same twice',
    cause: 'The same sentence is in two places of one prompt.',
    fix: 'Remove one of them; both places are named.',
  },
  W_OPPOSED_OBLIGATION: {
    title: 'Two obligations that contradict each other',
    cause:
      'One sentence of a prompt demands what another forbids, or their numbers exclude each other, as far as their wording shows.',
    fix: 'Remove one of them, or say when each of them holds.',
  },
  W_NO_SENSOR: {
    title: 'An obligation that no case notices',
    cause:
      'The last ablation that was saved in sensors/ left the sentence out, and no case scored worse: the text is useless or untested.',
    fix: 'Write a case that fails without the sentence, or remove it; then save an ablation again.',
  },
  E_TUNE_FILE: {
    title: 'A tune file that cannot be used',
    cause:
      'The file is missing, has a key or value that it cannot have, or names a text that cannot be read.',
    fix: 'Write cases, tunable (files that may change) and if you like free, tokens, held, margin, candidates and proposer.',
  },
  E_BUILD: {
    title: 'The command is not built',
    cause: 'The built files of the command are missing and could not be made.',
    fix: 'Run `npm ci` and `npm run build` at the top of the checkout, or install the package again.',
  },
  E_NODE: {
    title: 'Node.js is too old',
    cause: 'The command needs Node.js 20.19 or later.',
    fix: 'Install a current version of Node.js.',
  },
  E_INTERNAL: {
    title: 'A fault in Cuebook',
    cause: 'Something failed that should not be able to fail. It is not your mistake.',
    fix: 'Run the command again with CUEBOOK_DEBUG=1 and report what it prints, after taking private text out.',
  },
  W_SAMPLE_INPUT: {
    title: 'The author’s examples are used as input',
    cause: 'The target takes input and none was given, so the examples that its author wrote were used.',
    fix: `Hand in the real input; ${hint`help render`} shows the flags.`,
  },
  E_EDITOR: {
    title: 'The input was not changed',
    cause: 'No editor is set, it did not end well, or what it left is not JSON.',
    fix: 'Set EDITOR, or write the new input behind `change` as JSON.',
  },
  E_STOPPED: {
    title: 'You left',
    cause: 'The command was interrupted while a run was at work.',
    fix: 'The message says how to continue.',
  },
} as const satisfies Record<string, CodeEntry>;

/** A code of the command itself. */
export type CliCode = keyof typeof CLI_CODES;
