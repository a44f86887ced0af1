import type { CodeEntry } from '@cuebook/prompt';

/** The codes of typed definitions. */
export const DEFINE_CODES = {
  E_DEFINITION: {
    title: 'A definition that does not fit',
    cause: 'A property is missing, has a value that it cannot have, or is misspelled; the message names it.',
    fix: 'Correct the property that the message names. docs/user/definitions.md lists every one.',
  },
  W_PROMPT_EMPTY: {
    title: 'A prompt without text',
    cause: 'The `prompt` of a definition is empty or blank, or a list without anything to tell.',
    fix: 'Write what the model should be told, or remove the definition.',
  },
  W_DEFINITION_KEY: {
    title: 'A property that means nothing',
    cause: 'The definition has a property that this version does not know. It is left out.',
    fix: 'Take the property out, or correct its name.',
  },
  W_DEFINITION_UNUSED: {
    title: 'A property without effect',
    cause:
      'The definition has a property that other runtimes use and this one does not; the message names it.',
    fix: 'Take the property out, or do what the message suggests in its place.',
  },
  E_DEFINITION_LOAD: {
    title: 'A definition file that fails',
    cause:
      'The file has a syntax error, imports something that does not exist, or throws while it is loaded.',
    fix: 'Correct the line that the message names. Imports are files of the project, its own packages, zod and @cuebook/define.',
  },
  E_DEFINITION_STOPS: {
    title: 'A definition file that does not come to an end',
    cause: 'Loading the file takes too long, waits for something that never comes, or ends the process.',
    fix: 'Keep work out of the top level of definition files: a file only says what it defines.',
  },
  E_DEFINITION_EXPORT: {
    title: 'A definition file without its definition',
    cause: 'The file has no default export, or it is not a definition of the kind that its folder is for.',
    fix: 'Make one definition the default export, such as `export default definePrompt({ … })` in agents/prompts/.',
  },
  W_DEFINITION_FOLDER: {
    title: 'A folder that is not searched',
    cause:
      'Below `agents/` definitions live in models, prompts, tools, hooks and agents; a folder is nearly called so.',
    fix: 'Rename the folder as the message suggests.',
  },
  E_NAME_TWICE: {
    title: 'Two definitions with one name',
    cause: 'Two files of one kind define the same name; the message names both.',
    fix: 'Give one of them another name.',
  },
  W_NAME_SHADOWED: {
    title: 'A name that means something else as a tool',
    cause:
      'A function, a prompt and an agent may have one name, but in `tools` the function goes first, then the prompt.',
    fix: 'Give the definitions names of their own.',
  },
  E_NAME_UNKNOWN: {
    title: 'An undefined name',
    cause:
      'A definition names a model, prompt, tool, hook or agent that does not exist, or whose file did not load.',
    fix: 'Correct the name as the message suggests, or define what it names.',
  },
  E_TOOL_CHOICE: {
    title: 'A tool call is required and there is no tool',
    cause: "The prompt has `toolChoice: 'required'` and no tools.",
    fix: 'List a tool, or leave `toolChoice` out.',
  },
  E_TOOL_TWICE: {
    title: 'A tool that is listed twice',
    cause: 'A prompt lists the same name twice in `tools`, and models take each name once.',
    fix: 'Keep one of the two.',
  },
  E_TOOL_NAME: {
    title: 'A name that models do not take',
    cause:
      'A tool is called by its name, and model APIs take letters, digits, underscore and dash, 64 at most.',
    fix: 'Rename the definition; a tool has the name of its file.',
  },
  E_TOOL_PROPERTY: {
    title: 'An argument that the schema does not have',
    cause: 'A tool configuration names an argument that the prompt it calls does not take.',
    fix: 'Name a property of its `requiredSchema`, or add the property there.',
  },
  E_MCP_UNKNOWN: {
    title: 'An unknown server',
    cause:
      'A prompt lists `mcp.SERVER` or `mcp.SERVER.TOOL` in `tools`, or a node of a team lists `SERVER` or `SERVER.TOOL` in `servers`, and cuebook.yaml names no such server under `servers`.',
    fix: 'Name the server there, with `command` or `url`, or correct the name in the prompt or the team file.',
  },
  W_MCP_TOOL: {
    title: 'A tool that its server does not offer',
    cause:
      'A prompt or a node of a team lists a tool of an MCP server. The server was asked, and its list has no tool of that name, or one that cannot be told.',
    fix: 'Correct the name in the prompt or the team file, or look at the server. This tool is not offered to the model.',
  },
  W_TOOL_OPTION: {
    title: 'A setting without effect',
    cause: 'A tool configuration has a setting that is not for this kind of tool.',
    fix: 'Take the setting out, or list the tool that it is meant for.',
  },
  E_SUBAGENT: {
    title: 'Not a subagent',
    cause:
      'A prompt lists an agent that is not exposed, or subagent settings on something that is not a dual_ai agent.',
    fix: 'Set `exposeAsTool` and `toolDescription` on the agent, or take the subagent settings out.',
  },
  E_AGENT: {
    title: 'An agent that cannot run',
    cause:
      'A side is missing, a side names a tool that its prompt does not have, or an exposed agent has no description.',
    fix: 'Correct the property that the message names.',
  },
  W_AGENT: {
    title: 'A part of an agent without effect',
    cause: 'The agent has a part that its type or its other settings do not use.',
    fix: 'Take the part out, or set what the message names.',
  },
  E_VARIABLE_UNKNOWN: {
    title: 'An undeclared variable',
    cause: 'A prompt has an `env` part for a variable that no prompt, tool or agent declares.',
    fix: 'Declare it in `variables`, or correct its name.',
  },
  E_VARIABLE_MISSING: {
    title: 'A variable without a value',
    cause: 'The text of the prompt needs a variable, and none of the six layers has a value for it.',
    fix: 'Hand it in with `--env NAME=VALUE`, or give it a default in `env` of the prompt or the agent.',
  },
  W_VARIABLE_OPEN: {
    title: 'A variable that has to be set',
    cause:
      'A required variable has no value in any definition, so nothing that needs it runs without one from outside.',
    fix: 'Hand it in when the agent runs, or give it a default in `env` of the prompt, the tool or the agent.',
  },
  W_SECRET_IN_SOURCE: {
    title: 'A secret in a definition',
    cause: 'A definition gives a value to a variable of type secret, so the secret stands in the source.',
    fix: 'Take the value out of the file and hand it in when the agent runs.',
  },
} as const satisfies Record<string, CodeEntry>;
