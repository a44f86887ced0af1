import type { CodeEntry } from '@cuebook/prompt';

/** The codes of workflow packages, their state and their tools. */
export const WORKFLOW_CODES = {
  PACKAGE_NOT_FOUND: {
    title: 'No workflow package there',
    cause: 'The folder or archive holds no `bmad.json`, or it cannot be read.',
    mend: 'Name the folder that holds `bmad.json`, such as `workflow:workflows/intake`.',
  },
  MANIFEST_INVALID: {
    title: '`bmad.json` does not fit',
    cause: 'The file is not valid JSON, or a key or value in it is not one that a package has.',
    mend: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  AGENTS_INVALID: {
    title: '`agents.json` does not fit',
    cause: 'The file is missing, is not valid JSON, or a key or value in it is not one that an agent has.',
    mend: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  WORKFLOW_NOT_FOUND: {
    title: 'No such workflow in the package',
    cause: 'The id behind `#` is not one of the workflows that `bmad.json` lists.',
    mend: 'Use one of the ids that the message names, or leave the id out for the entry workflow.',
  },
  WORKFLOW_FILE_NOT_FOUND: {
    title: 'The workflow file is missing',
    cause: '`bmad.json` names a workflow file that the package does not hold.',
    mend: 'Add the file, or correct its path in `bmad.json`.',
  },
  GRAPH_NOT_FOUND: {
    title: 'The graph is missing',
    cause: '`bmad.json` names a graph file that the package does not hold.',
    mend: 'Add the file, or correct its path in `bmad.json`.',
  },
  GRAPH_JSON_INVALID: {
    title: 'The graph is not valid JSON',
    cause: 'The graph file cannot be read as JSON, or a key stands in it twice.',
    mend: 'Correct the place that the message names.',
  },
  GRAPH_SCHEMA_INVALID: {
    title: 'The graph does not fit',
    cause: 'A key or value of the graph is not one that a graph has.',
    mend: 'Correct the place that the message names. docs/user/workflows.md lists every key.',
  },
  GRAPH_INTEGRITY_INVALID: {
    title: 'The graph contradicts itself',
    cause:
      'Two nodes have one id, an edge leads to no node, a node has two default edges, the entry is no node, a node cannot be reached, an end has edges, or a step file says something else than the graph.',
    mend: 'Correct the place that the message names.',
  },
  E_PACKAGE_PATH: {
    title: 'A path that leaves its root',
    cause:
      'A path in the package is absolute, climbs above its root, or has characters that no path may have.',
    mend: 'Write it relative to the package (outputs: to the project), without `..`.',
  },
  E_PACKAGE_FIELD: {
    title: 'A field that could be read as structure',
    cause:
      'A field of one line has a line break, or the text has a line that would be read as a block of its own: a header such as USER_INPUT, a role marker or a tool call.',
    mend: 'Write the field on one line and in other words.',
  },
  E_PACKAGE_TOO_LARGE: {
    title: 'Too large for a workflow package',
    cause: 'A file of the package is larger than Cuebook reads, or a list in it longer.',
    mend: 'Split the file, or move the text into step files, which are read in windows.',
  },
  W_WORKFLOW_NO_END: {
    title: 'The workflow cannot end',
    cause: 'No end node can be reached from the entry, or a node that is no end leads nowhere.',
    mend: 'Add an edge that leads on, or make the node an end.',
  },
  ENGINE_PRECONDITION_FAILED: {
    title: 'Something that the next turn needs is missing',
    cause: 'The agent, the step file or the current node is not in the package. No model was called.',
    mend: 'Add what the message names, or correct the id that asks for it.',
  },
  CURRENT_NODE_INVALID: {
    title: 'The state names a node that is not there',
    cause: 'The `currentNodeId` of the state is no node of the graph.',
    mend: 'Use the state of this workflow, or start a new run.',
  },
  E_INVALID_FRONTMATTER: {
    title: 'Frontmatter that cannot be read',
    cause:
      'The file does not begin with a line of three dashes, YAML, and a second such line; or the YAML is invalid, repeats itself through aliases, or names another language behind the dashes.',
    mend: 'Write plain YAML between two lines of exactly three dashes.',
  },
  E_SCHEMA_VALIDATION: {
    title: 'A value that does not fit the state',
    cause: 'A key of the state is missing or has a value of another kind; the details name each place.',
    mend: 'Correct the places that the details name and send the change again.',
  },
  E_INVALID_TRANSITION: {
    title: 'No edge leads there',
    cause: 'The change moves to a node that no edge of the current node leads to.',
    mend: 'Move to one of the nodes in `details.allowedNext`.',
  },
  E_STEPS_COMPLETED: {
    title: 'Completed steps that do not add up',
    cause:
      'The change removes a completed step, or adds one that is not in the graph or that the run is not at.',
    mend: 'Keep every completed step, and add only the current one.',
  },
  E_PRECONDITION_FAILED: {
    title: 'The file changed meanwhile',
    cause: 'The file is not the version that `ifMatchSha256` names, or somebody else changed it first.',
    mend: 'Read the file again and repeat the change on what is there now.',
  },
  STATE_CHANGE_REQUIRES_CONFIRMATION: {
    title: 'A person must confirm this change',
    cause: 'The workflow is complete. From then on each change of its state needs a confirmation of its own.',
    mend: 'Ask the user. After the confirmation send exactly the same change again.',
  },
  E_STATE_UNAVAILABLE: {
    title: 'There is no run',
    cause: 'The state belongs to a run, and this conversation has none.',
    mend: 'Start the workflow as a run, or work under @project.',
  },
  ENOENT: {
    title: 'There is no such file',
    cause: 'Nothing has that name, or a directory on the way to it is missing.',
    mend: 'Check the spelling and the letter case, or list the directory.',
  },
  E_INVALID_ARGS: {
    title: 'Arguments that the tool does not take',
    cause: 'An argument is missing, unknown, or of another kind.',
    mend: 'Send the arguments in the shape that the message describes.',
  },
  E_READ_LIMIT: {
    title: 'More than may be read at once',
    cause: 'The window, or the file, has more bytes than the policy or the tool allows.',
    mend: 'Read a smaller window with startLine and endLine, or find the place with fs.search.',
  },
  E_WRITE_LIMIT: {
    title: 'More than may be written at once',
    cause: 'The content has more bytes than `maxWriteBytes` of the policy.',
    mend: 'Write several smaller files.',
  },
  TOOL_NOT_AVAILABLE: {
    title: 'A tool that this agent does not have',
    cause: 'The policy of this agent switches the tool off, or no tool has that name.',
    mend: 'Use one of the tools that the request lists.',
  },
  TOOL_EXEC_FAILED: {
    title: 'The tool failed',
    cause: 'Something went wrong that the tool has no word for. Nothing of it is told.',
    mend: 'Try again; if it stays, look at the log of the run.',
  },
} as const satisfies Record<string, CodeEntry>;
