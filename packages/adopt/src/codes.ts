import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of import and export. A warning says that something was not kept; an info line that it was kept in another form. */
export const ADOPT_CODES = {
  E_IMPORT_SYNTAX: {
    title: 'A file that cannot be read in its format',
    cause:
      'The file is not valid in the format it was read as: broken JSON, YAML or TOML, a key that is given twice, bytes that are not UTF-8, a tag that is not closed, or a file past a limit.',
    fix: `Correct the place that the message names in the source, or name the right format: ${hint`import FORMAT FILE`}.`,
  },
  E_IMPORT_SOURCE: {
    title: 'No reader for this file',
    cause: 'The file is of no format that can be imported, or fits several.',
    fix: `Name the format in front of the file. ${hint`help import`} lists them.`,
  },
  E_IMPORT_TRUST: {
    title: 'Nobody has said how far an input can be trusted',
    cause:
      'The imported prompt has variables. Other tools put their values into the text unmarked; a sheet needs to know who can write them. A variable in a system message must be trusted at least as far as `operator`.',
    fix: 'Say it for all inputs with `--trust LEVEL`, or for one with `--trust NAME=LEVEL`. `--system-to-user` moves a system message that holds less trusted input to the user role.',
  },
  E_IMPORT_SELECT: {
    title: 'No such version',
    cause: 'The source has no prompt, version or label of the name that the call gives.',
    fix: 'Choose one that the message lists, or take all of them with `--all`.',
  },
  E_IMPORT_EXISTS: {
    title: 'The file already exists with other content',
    cause:
      'An earlier import, or a person, wrote a file of this name. Import never writes over a file by itself.',
    fix: 'Look at the difference that is printed. `--update` writes the new content; `--name NAME` chooses another name.',
  },
  E_IMPORT_VERIFY: {
    title: 'Both sides do not render the same',
    cause: 'The official library and the imported sheet gave different messages for the same values.',
    fix: 'Look at the difference that is printed, and keep the source until it is explained.',
  },
  W_IMPORT_SECTION: {
    title: 'A condition or loop of a template',
    cause:
      'An info line: the condition or loop became a template part, which renders the same bytes for every value. A warning: it has no exact equal in a sheet, so the prompt was not imported.',
    fix: 'Rewrite the place that the message names with one of the forms in docs/user/import.md, or write the prompt as a definition in TypeScript.',
  },
  W_IMPORT_HELPER: {
    title: 'A function of the template language is not a part of a sheet',
    cause:
      'The template calls a helper, a filter, a partial or another engine feature. The prompt was not imported.',
    fix: 'Compute the value in your program and hand it in as an input.',
  },
  W_IMPORT_PLACEHOLDER: {
    title: 'A place for messages is read in another way',
    cause: 'The prompt takes a list of messages at this place.',
    fix: 'Hand the messages in as the history of the conversation.',
  },
  W_IMPORT_REFERENCE: {
    title: 'A reference to another prompt or file could not be kept',
    cause: 'What the reference names is not in the source, refers to itself, or cannot be included.',
    fix: 'Export the source whole, or replace the reference with the text.',
  },
  W_IMPORT_ROLE: {
    title: 'A role was changed',
    cause: 'Sheets have the roles system, user, assistant and tool.',
    fix: 'Nothing to do when the new role is right; change it in the sheet otherwise.',
  },
  W_IMPORT_NAME: {
    title: 'A name was changed, or cannot be one',
    cause: 'Names of inputs and sheets are made of ASCII letters, digits, dot, dash and underscore.',
    fix: 'Use the new name where values are passed in.',
  },
  W_IMPORT_DEFAULT: {
    title: 'A default became an example',
    cause: 'An input of a sheet has no default value; an example is used when nothing is passed in.',
    fix: 'Hand the value in where the prompt is rendered.',
  },
  W_IMPORT_TOOL: {
    title: 'A tool was not kept as it is',
    cause: 'The source names a tool without its schema, or a tool that the provider hosts.',
    fix: 'Declare it under `tools` in the sheet, or give it to the provider where the prompt is sent.',
  },
  W_IMPORT_PASSED: {
    title: 'A file or folder was not looked at',
    cause:
      'Links are not followed, because they may lead out of the repository. A folder may not be read, has a name that no path can spell, or the repository has more files than are looked at.',
    fix: 'Name the file or folder to import what it holds, or give it a plain name.',
  },
  W_IMPORT_KEY: {
    title: 'A key has no place in a sheet',
    cause:
      'The source has a key that the sheet cannot act on. Its value is kept under `meta`, where it is shown and never sent.',
    fix: 'Nothing to do when it was information only.',
  },
  W_IMPORT_COMMAND: {
    title: 'A command in the text',
    cause: 'The tool runs a shell command at this place and puts its output into the prompt.',
    fix: 'Run the command in your program and hand its output in as an input.',
  },
  W_IMPORT_MEDIA: {
    title: 'Content that is not text',
    cause: 'The prompt holds an image, audio or a file.',
    fix: 'Attach it where the prompt is sent.',
  },
  W_IMPORT_LABEL: {
    title: 'A version or label is not what was expected',
    cause:
      'No version carries the label, so the highest version was taken; or the file has a version twice, a version that is not a whole number, or a label that is not a text.',
    fix: 'Name the version with `--version-number N` or `--label LABEL`, or fix the file.',
  },
  W_IMPORT_MARKER: {
    title: 'The text changes with a value',
    cause:
      'Calls with different values differ outside of the values: the prompt is a program and not a template.',
    fix: 'Keep the program, or write the prompt as a definition.',
  },
  W_IMPORT_DIALECT: {
    title: 'Other libraries read this in another way',
    cause:
      'The sheet follows one library. Another one for the same format prints something else at this place.',
    fix: 'Compare the rendered prompt with what your program sends today.',
  },
  W_IMPORT_EMPTY: {
    title: 'A message without text',
    cause: 'A sheet sends no message whose text is empty; the source would send an empty one.',
    fix: 'Nothing to do unless the model needs the empty message.',
  },
  W_IMPORT_CASE: {
    title: 'A check of a test was not kept',
    cause:
      'Cases hold deterministic checks of the prompt and the answer. This one needs a model, a program or a score.',
    fix: 'Keep it in its own tool.',
  },
  W_IMPORT_COMMENT: {
    title: 'A comment was not kept',
    cause:
      'The template holds a comment. It was never sent, and a sheet has no place for it inside of a text.',
    fix: 'Write it as a YAML comment where it helps.',
  },
  W_IMPORT_SYNTAX: {
    title: 'Frontmatter that other readers read in another way',
    cause:
      'The frontmatter is not valid YAML, mostly for a colon in a value without quotes; its fields were read one by one. Or it does not stand between two lines of three dashes at the top of the file, and was read as text.',
    fix: 'Put the value in quotes, or correct the lines around the fields: strict readers leave the whole file out.',
  },
  E_EXPORT_EDITED: {
    title: 'The file was changed by hand',
    cause: 'What stands in the file is not what export wrote there, so writing would lose the change.',
    fix: 'Move the change into the source and export again, or replace the file with `--overwrite`: its old text is kept.',
  },
  E_EXPORT_DRIFT: {
    title: 'An exported file is not up to date',
    cause: 'With `--check`: a file would change, appear or go.',
    fix: `Run ${hint`export`} and commit the files.`,
  },
  E_EXPORT_PLACE: {
    title: 'The file belongs to another target, or is a link',
    cause:
      'Two targets would be written to one file, at once or one after the other, or a symbolic link stands where the file would be. Nothing was written.',
    fix: 'Export each target to a file of its own with `--out PATH`. Replace the link with a file, or export to the file that it leads to.',
  },
  E_EXPORT_SPACE: {
    title: 'The format cannot keep white space here',
    cause:
      'The format trims white space at the beginning or end of a text, or drops a text of white space alone.',
    fix: 'Remove the white space from the sheet, or choose another format.',
  },
  E_EXPORT_FORMAT: {
    title: 'The format cannot say this',
    cause: 'The prompt holds something that the format has no form for; the message names it.',
    fix: 'Choose a format that can hold it, or give values with `--set NAME=VALUE` so that the text is fixed.',
  },
  E_EXPORT_LOCK: {
    title: 'The list of exported files cannot be read',
    cause: '`cuebook.exports.json` is not valid, so it is unknown which files export wrote.',
    fix: 'Take the file back from version control.',
  },
  E_EXPORT_UNREAD: {
    title: 'A tool would not read the file',
    cause:
      '`--for` names a tool that looks elsewhere in this repository, or that reads only the beginning of a file of this size.',
    fix: 'Export to the format of that tool too, remove the file that it reads in place of this one, or shorten the text.',
  },
  W_EXPORT_READERS: {
    title: 'Some tools do not read this file',
    cause: 'The file is written for some tools. Others look elsewhere or read only a part of it.',
    fix: 'Export to the format of those tools too.',
  },
  W_EXPORT_LOST: {
    title: 'The format has no place for this',
    cause: 'Something that the sheet holds is not in the exported file.',
    fix: 'Nothing to do when the reader does not need it.',
  },
} as const satisfies Record<string, CodeEntry>;

export type AdoptCode = keyof typeof ADOPT_CODES;
