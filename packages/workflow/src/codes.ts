import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of workflow packages, their state and their tools. */
export const WORKFLOW_CODES = {
  PACKAGE_NOT_FOUND: {
    title: 'No workflow package there',
    cause: 'The folder or archive holds no `bmad.json`, or it cannot be read.',
    fix: 'Name the folder that holds `bmad.json`, such as `workflow:workflows/intake`.',
  },
  MANIFEST_INVALID: {
    title: '`bmad.json` does not fit',
    cause: 'The file is not valid JSON, or a key or value in it is not one that a package has.',
    fix: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  E_PACKAGE_RUNTIME: {
    title: 'The package needs a later Cuebook',
    cause: '`runtime.minRuntimeVersion` of `bmad.json` names a later version than the one that runs.',
    fix: 'Install that version of Cuebook or a later one. If the package does with less, correct `minRuntimeVersion`.',
  },
  E_PACKAGE_INTEGRITY: {
    title: 'The files of a package are not those that it names',
    cause: '`integrity.sha256` of `bmad.json` is not the sha256 of the files that the package has now.',
    fix: `Get the package again from where it comes from. If the change is yours, put the \`integrity\` that ${hint`package show DIR`} prints into \`bmad.json\`.`,
  },
  W_PACKAGE_UNUSED: {
    title: 'A field that nothing reads',
    cause: 'An agent has a field that the format knows and that changes nothing here; the message says why.',
    fix: 'Remove the field, or say it where it is read: in `systemPrompt`, in the persona or in a step file.',
  },
  E_PACKAGE_TOOLS: {
    title: 'An agent without the tools that its workflow orders',
    cause:
      'A step is told to read its file and to change the state, and the policy of its agent has no file tools: `tools.fs.enabled` is false in `agents.json`, or under `workflow` in cuebook.yaml.',
    fix: 'Remove `"enabled": false`, or give the step an agent that has file tools.',
  },
  MENU_ITEM_NOT_FOUND: {
    title: 'No such item in the menu',
    cause:
      'The menu of the agent has no item with this trigger or number, or the file that it hands in is not there.',
    fix: 'Use one of the triggers that the message names, or make the file.',
  },
  AGENTS_INVALID: {
    title: '`agents.json` does not fit',
    cause: 'The file is missing, is not valid JSON, or a key or value in it is not one that an agent has.',
    fix: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  WORKFLOW_NOT_FOUND: {
    title: 'No such workflow in the package',
    cause: 'The id behind `#` is not one of the workflows that `bmad.json` lists.',
    fix: 'Use one of the ids that the message names, or leave the id out for the entry workflow.',
  },
  WORKFLOW_FILE_NOT_FOUND: {
    title: 'The workflow file is missing',
    cause: '`bmad.json` names a workflow file that the package does not hold.',
    fix: 'Add the file, or correct its path in `bmad.json`.',
  },
  GRAPH_NOT_FOUND: {
    title: 'The graph is missing',
    cause: '`bmad.json` names a graph file that the package does not hold.',
    fix: 'Add the file, or correct its path in `bmad.json`.',
  },
  GRAPH_JSON_INVALID: {
    title: 'The graph is not valid JSON',
    cause: 'The graph file cannot be read as JSON, or a key is in it twice.',
    fix: 'Correct the place that the message names.',
  },
  GRAPH_SCHEMA_INVALID: {
    title: 'The graph does not fit',
    cause: 'A key or value of the graph is not one that a graph has.',
    fix: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  GRAPH_INTEGRITY_INVALID: {
    title: 'The graph contradicts itself',
    cause:
      'Two nodes have one id, an edge leads to no node, a node has two default edges, the entry is not a node, a node cannot be reached, an end has edges, or a step file says something else than the graph.',
    fix: 'Correct the place that the message names.',
  },
  E_PACKAGE_PATH: {
    title: 'A path that leaves its root',
    cause:
      'A path in the package is absolute, climbs above its root, or has characters that no path may have.',
    fix: 'Write it relative to the package (outputs: to the project), without `..`.',
  },
  E_PACKAGE_FIELD: {
    title: 'A field that could be read as structure',
    cause:
      'A field of one line has a line break, or the text has a line that would be read as a block of its own: a header such as USER_INPUT, a role marker or a tool call.',
    fix: 'Write the field on one line and in other words.',
  },
  E_PACKAGE_TOO_LARGE: {
    title: 'Too large for a workflow package',
    cause: 'A file of the package is larger than Cuebook reads, or a list in it longer.',
    fix: 'Split the file, or move the text into step files, which are read in windows.',
  },
  W_WORKFLOW_NO_END: {
    title: 'The workflow cannot end',
    cause: 'No end node can be reached from the entry, or a node that is no end leads nowhere.',
    fix: 'Add an edge that leads on, or make the node an end.',
  },
  ENGINE_PRECONDITION_FAILED: {
    title: 'Something that the next turn needs is missing',
    cause: 'The agent, the step file or the current node is not in the package. No model was called.',
    fix: 'Add what the message names, or correct the id that asks for it.',
  },
  CURRENT_NODE_INVALID: {
    title: 'The state names a node that does not exist',
    cause: 'The `currentNodeId` of the state is not a node of the graph.',
    fix: 'Use the state of this workflow, or start a new run.',
  },
  E_INVALID_FRONTMATTER: {
    title: 'Frontmatter that cannot be read',
    cause:
      'The file does not begin with a line of three dashes, YAML, and a second such line; or the YAML is invalid, repeats itself through aliases, or names another language behind the dashes.',
    fix: 'Write plain YAML between two lines of exactly three dashes.',
  },
  E_SCHEMA_VALIDATION: {
    title: 'A value that does not fit the state',
    cause: 'A key of the state is missing or has a value of another kind; the details name each place.',
    fix: 'Correct the places that the details name and send the change again.',
  },
  E_INVALID_TRANSITION: {
    title: 'No edge leads there',
    cause: 'The change moves to a node that no edge of the current node leads to.',
    fix: 'Move to one of the nodes in `details.allowedNext`.',
  },
  E_STEP_NOT_DONE: {
    title: 'A step that is not done',
    cause:
      'A change of the state says that a step is done, but the turn did not begin with its brief, or one of its declared outputs is missing or empty.',
    fix: 'Write the outputs that are named, then change the state. Finish one step in an answer: the next step is told in the next turn.',
  },
  E_STEPS_COMPLETED: {
    title: 'Completed steps that do not add up',
    cause:
      'The change removes a completed step, or adds one that is not in the graph or that the run is not at.',
    fix: 'Keep every completed step, and add only the current one.',
  },
  E_PRECONDITION_FAILED: {
    title: 'The file changed meanwhile',
    cause: 'The file is not the version that `ifMatchSha256` names, or somebody else changed it first.',
    fix: 'Read the file again and repeat the change on what is there now.',
  },
  STATE_CHANGE_REQUIRES_CONFIRMATION: {
    title: 'A person must confirm this change',
    cause: 'The workflow is complete. From then on each change of its state needs a confirmation of its own.',
    fix: 'Make the change again in a turn of its own: the user is asked to confirm it.',
  },
  E_STATE_UNAVAILABLE: {
    title: 'There is no run',
    cause: 'The state belongs to a run, and this conversation has none.',
    fix: 'Start the workflow as a run, or work under @project.',
  },
  ENOENT: {
    title: 'There is no such file',
    cause: 'Nothing has that name, or a directory on the way to it is missing.',
    fix: 'Check the spelling and the letter case, or list the directory.',
  },
  E_INVALID_ARGS: {
    title: 'Arguments that the tool does not take',
    cause: 'An argument is missing, unknown, or of another kind.',
    fix: 'Send the arguments in the shape that the message describes.',
  },
  E_READ_LIMIT: {
    title: 'More than may be read at once',
    cause: 'The window, or the file, has more bytes than the policy or the tool allows.',
    fix: 'Read a smaller window with startLine and endLine, or find the place with fs.search.',
  },
  E_WRITE_LIMIT: {
    title: 'More than may be written at once',
    cause: 'The content has more bytes than `maxWriteBytes` of the policy.',
    fix: 'Write several smaller files.',
  },
  TOOL_NOT_AVAILABLE: {
    title: 'A tool that this agent does not have',
    cause: 'The policy of this agent switches the tool off, or no tool has that name.',
    fix: 'Use one of the tools that the request lists.',
  },
  TOOL_EXEC_FAILED: {
    title: 'The tool failed',
    cause: 'An unexpected error of the tool. Its details are not shown.',
    fix: 'Try again; if it stays, look at the log of the run.',
  },
  TOOL_ARGS_INVALID_JSON: {
    title: 'Arguments that are not JSON',
    cause: 'The model wrote arguments of a call that cannot be read as JSON. Nothing was run.',
    fix: 'Write the arguments as one JSON object and make the call again.',
  },
  E_QUESTION_UNANSWERED: {
    title: 'The user gave no answer',
    cause: 'The question was let through without an answer, and it is not one of yes or no.',
    fix: 'Ask in other words, or continue without it.',
  },
  COMMAND_NOT_ALLOWED: {
    title: 'A program that may not be run',
    cause: 'The command is a path or a line for a shell, or the operator has not named this program.',
    fix: 'Use the bare name of a program that the message lists, with its arguments in `args`.',
  },
  COMMAND_NOT_FOUND: {
    title: 'There is no such program',
    cause: 'No program of that name is found on this machine.',
    fix: 'Check the spelling, or use another program.',
  },
  CWD_NOT_ALLOWED: {
    title: 'A program cannot run there',
    cause: '`cwd` is not a folder of @project.',
    fix: 'Name a folder that begins with @project, or leave `cwd` out.',
  },
  EXEC_TIMEOUT: {
    title: 'The program took too long',
    cause:
      'It ran longer than `timeoutMs` of the call or of the policy, and was ended with all that it had started.',
    fix: 'Do less at once. What it wrote until then is in the details.',
  },
  EXEC_ABORTED: {
    title: 'The program was ended',
    cause: 'The run was stopped while the program ran.',
    fix: 'Go on with the run and look at what the program has done before you run it again.',
  },
  W_PACKAGE_UNACCEPTED: {
    title: 'A package that nobody accepted',
    cause:
      'The package comes from outside the project, and no person has accepted its bytes as they are now. Its persona is fenced in a user-role block as external text.',
    fix: `Read what it says with ${hint`package show DIR`}, then accept it with ${hint`package accept DIR`}.`,
  },
  E_PACKAGE_UNACCEPTED: {
    title: 'A third-party package that nobody accepted is not run',
    cause:
      'The package comes from outside the project, and no person has accepted its bytes as they are now: it is new here, or it has changed since.',
    fix: `Read what it says with ${hint`package show DIR`}, then accept it with ${hint`package accept DIR`}.`,
  },
  E_PACKAGE_HASH: {
    title: 'Not the package that was shown',
    cause:
      '`--hash` names other bytes than the package has now, or no hash was given and nobody was there to ask.',
    fix: `Run ${hint`package show DIR`}, read it, and accept with the hash that it prints.`,
  },
  CONTEXT_STILL_TOO_LARGE: {
    title: 'The conversation is too large for the model',
    cause:
      'What is in every request and the newest message have more than `contextTokens`, even with all else left out.',
    fix: 'Raise `contextTokens` under `workflow` in cuebook.yaml if the model accepts more, or start a new run.',
  },
  ENGINE_ABORTED: {
    title: 'The run was stopped',
    cause: 'A person stopped it. What was running was waited for, and nothing is lost.',
    fix: `Go on with ${hint`run workflow:DIR --run RUN`}.`,
  },
  ENGINE_MAX_TURNS_EXCEEDED: {
    title: 'Too many turns from one message',
    cause:
      'So many turns as `maxTurns` says followed from one word of a person, and the workflow is not complete.',
    fix: 'Look at what it did, and continue with `--run RUN --input TEXT`.',
  },
  ENGINE_LOOP_DETECTED: {
    title: 'The agent repeats itself',
    cause: 'The same call failed in the same way three times, or the same turns came again with nothing new.',
    fix: 'Tell it what to do differently: `--run RUN --input TEXT`.',
  },
  E_RUN_HELD: {
    title: 'Another process works on this run',
    cause: 'A run is worked on by one process at a time, and another one has it.',
    fix: 'Wait until the other process has ended. One that was killed is replaced after a few seconds.',
  },
  E_QUESTION_GRANT: {
    title: 'Questions cannot be allowed for the rest of a run',
    cause:
      'A question of a workflow was to be allowed with a grant, and later ones would have been answered by nobody.',
    fix: `Answer this question alone: ${hint`approvals answer ID TEXT`}.`,
  },
  E_NOTHING_ASKED: {
    title: 'There is nothing to answer',
    cause: '`--answer` or `--settle` was given, and the run does not wait for that.',
    fix: `Call ${hint`run workflow:DIR --run RUN`} without it: it says what the run waits for.`,
  },
} as const satisfies Record<string, CodeEntry>;
