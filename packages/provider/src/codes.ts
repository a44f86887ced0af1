import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of turns: why a provider did not answer as hoped. */
export const PROVIDER_CODES = {
  // stream
  E_PROVIDER_TIMEOUT: {
    title: 'Nothing more came',
    cause:
      'The provider was silent for longer than the idle limit, or the turn took longer than its total limit.',
    fix: 'Try again, or raise `idleMs` or `totalMs` of the turn if the work really takes so long.',
  },
  E_PROVIDER_OUTPUT: {
    title: 'More output than allowed',
    cause: 'The provider sent more bytes than the output limit of the turn.',
    fix: 'Look at what it printed; raise `outputBytes` of the turn if so much is meant.',
  },
  E_PROVIDER_FAILED: {
    title: 'The provider broke off',
    cause: 'Something went wrong inside the driver of the provider; the message says what is known.',
    fix: 'Try again; if it happens again, report it with the message.',
  },
  E_PROVIDER_RECORD: {
    title: 'Not sent, because it could not be recorded',
    cause: 'The record of what was to be sent could not be written, and nothing is sent without one.',
    fix: 'See that the store can be written to, then send the turn again.',
  },
  // api
  E_PROVIDER_AUTH: {
    title: 'Not let in',
    cause: 'The provider did not accept the key or the login (HTTP 401 or 403).',
    fix: 'Set a valid key for this provider, or sign in with its own program; then send the turn again.',
  },
  E_PROVIDER_RATE: {
    title: 'Too many requests',
    cause: 'The provider asks for a pause (HTTP 429).',
    fix: 'Wait and try again, send fewer turns at once, or raise the limits of the account.',
  },
  E_PROVIDER_QUOTA: {
    title: 'The account has nothing left',
    cause: 'The provider answers that the quota or the credit of the account is used up.',
    fix: 'Look at the billing of the account; waiting alone does not help.',
  },
  E_PROVIDER_DOWN: {
    title: 'The provider is in trouble',
    cause: 'The provider failed on its side (HTTP 5xx, 408, 409, or an error inside the stream).',
    fix: 'Try again later.',
  },
  E_PROVIDER_REJECTED: {
    title: 'The provider does not take the request',
    cause:
      'Something in the request is not allowed for this model or provider; the message says what it answered.',
    fix: 'Correct what the message names: a parameter, the schema of a tool, the order of calls and results.',
  },
  E_PROVIDER_MODEL: {
    title: 'No such model',
    cause: 'No model is named, or the provider knows none by this name at this address (HTTP 404).',
    fix: 'Name a model that the account may use; see that the base address is that of the right API.',
  },
  E_PROVIDER_CONTEXT: {
    title: 'More than the model can read',
    cause: 'The prompt is longer than the context of the model.',
    fix: 'Shorten the history or the attached texts, or take a model with a larger context.',
  },
  E_PROVIDER_LENGTH: {
    title: 'Cut off in mid-sentence',
    cause: 'The model reached its limit of output tokens before it was done; what it wrote is kept.',
    fix: 'Raise `maxOutputTokens`, or ask for less at once.',
  },
  E_PROVIDER_WINDOW: {
    title: 'The context window is full',
    cause:
      'Prompt and answer together filled the context window of the model before it was done; what it wrote is kept.',
    fix: 'Shorten the history or the attached texts, or take a model with a larger window. A larger `maxOutputTokens` does not help.',
  },
  E_PROVIDER_FILTER: {
    title: 'The provider would not say it',
    cause: 'The safety filter of the provider, or the model itself, refused to answer.',
    fix: 'Ask for something else, or change the settings of the provider where it has some.',
  },
  E_PROVIDER_NETWORK: {
    title: 'No way to the provider',
    cause:
      'The connection failed or broke: name not found, refused, reset, certificate not trusted, redirect.',
    fix: 'Look at the network, the base address, and the proxy and certificate settings of Node.',
  },
  E_PROVIDER_PROTOCOL: {
    title: 'An answer that makes no sense',
    cause: 'What came back is not what this API says: not a stream of events, not JSON, or without an end.',
    fix: 'See that the base address speaks this API; a gateway between may have changed the answer.',
  },
  E_PROVIDER_PARAM: {
    title: 'A parameter that is not known',
    cause: 'A parameter of the request is unknown, or its value does not fit.',
    fix: 'Correct it; what only one provider knows goes under `providerOptions`.',
  },
  E_PROVIDER_KEY: {
    title: 'No key',
    cause: 'No key is configured for this provider.',
    fix: 'Set the environment variable that the message names, or configure the key.',
  },
  E_PROVIDER_ADDRESS: {
    title: 'An address that cannot be used',
    cause:
      'The base address of the provider is missing, is not http or https, or holds a user name or password.',
    fix: 'Set a plain address; credentials go into the key.',
  },
  // price
  E_PRICE_UNKNOWN: {
    title: 'A budget in money, a model without a price',
    cause:
      'The run has a budget in money and the model is not in the price table, so the budget could not be enforced.',
    fix: 'Add the price of the model to the price file, or set a budget in tokens instead.',
  },
  E_PRICE_TABLE: {
    title: 'A price file that does not fit',
    cause: 'The price file is not of the documented shape; the message names the place.',
    fix: 'Correct the place that the message names.',
  },
  // process, claude
  E_PROVIDER_START: {
    title: 'The agent could not be started',
    cause: 'The program of a CLI agent does not exist, may not be run, or its working folder is gone.',
    fix: `Install the agent so that it is on the path, or name its program; ${hint`providers`} says what is missing.`,
  },
  E_PROVIDER_EXIT: {
    title: 'The agent ended in the middle of a turn',
    cause:
      'The program of a CLI agent ended, or wrote what is not an answer, before its turn was over; what it wrote last is in the message.',
    fix: 'Look at the message. What it had done by then is done; resume the session to continue from there.',
  },
  E_PROVIDER_SESSION: {
    title: 'The agent does not know the session',
    cause: 'The session to continue with is not among those that the agent keeps for this folder and user.',
    fix: 'Begin a new session with the full prompt, or work in the folder and with the user of the old one.',
  },
  // acp, line, rehearsal, catalog
  E_PROVIDER_PLAN: {
    title: 'This agent cannot be held to planning',
    cause: 'The session may only read, and the agent offers no mode of its own that keeps it to that.',
    fix: `Take another provider for planning (${hint`providers`} shows which can), or name the mode of this agent under \`modes\` in its configuration.`,
  },
  E_PROVIDER_UNASKED: {
    title: 'The agent did not ask',
    cause:
      'A person must approve each action of this agent, and it reports one that nobody approved: its own settings allow it, or it ignored a denial. It was stopped.',
    fix: 'Look at what it has changed. Then take away what its own settings allow it, or name the mode in which it asks under `modes` in its configuration.',
  },
  E_PROVIDER_CONFIG: {
    title: 'A provider that is not configured right',
    cause: 'The name is that of no provider, or its configuration does not fit; the message names the place.',
    fix: `Correct the place that the message names under \`providers\` in cuebook.yaml; ${hint`providers`} lists the names.`,
  },
  E_SCRIPT: {
    title: 'A script that does not fit',
    cause:
      'The script of the rehearsal is not valid YAML or JSON, or a place in it is not of the documented shape.',
    fix: 'Correct the places that the messages name. docs/user/providers.md shows the shape.',
  },
  E_SCRIPT_LANE: {
    title: 'Nobody wrote a lane for this session',
    cause: 'The script has no lane by the alias, the scenario or the model of the session, and none for `*`.',
    fix: 'Add a lane by one of the names in the message, or one for `*`.',
  },
  E_SCRIPT_END: {
    title: 'The lane has no more steps',
    cause: 'The session took more turns than its lane in the script has steps.',
    fix: 'Add the step that the message names to the lane, or see why the run took one turn more.',
  },
  // gemini
  E_PROVIDER_TRUST: {
    title: 'The agent does not trust the folder',
    cause:
      'Gemini CLI does not work in a folder that nobody has told it to trust, because the settings that stand there may name programs to run.',
    fix: 'Look at what is in the folder, then open it once with `gemini` and trust it, or set `trust` for the provider.',
  },
  // servers
  E_MCP_AUTH: {
    title: 'The server does not accept the key',
    cause: 'The MCP server answered 401 or 403: no key was sent, or not a valid one.',
    fix: 'Name the variable with its key under `keyName` of the server in cuebook.yaml, and set it to a valid key.',
  },
  E_MCP_LOGIN: {
    title: 'The server asks for a login',
    cause:
      'The MCP server answered 401, and there is no login for its address in this home, or it has ended and cannot be renewed.',
    fix: `Log in with ${hint`mcp login SERVER`}; where the server takes a fixed key, name its variable under \`keyName\`.`,
  },
  E_MCP_ABSENT: {
    title: 'No server at this address',
    cause: 'The address of the MCP server answered 404, 405 or 410.',
    fix: 'Correct `url` of the server in cuebook.yaml.',
  },
  E_MCP_TOO_LARGE: {
    title: 'More than is read from a server',
    cause: 'An answer of the MCP server has more than 4 MB.',
    fix: 'Ask the tool for less: a narrower query, a page, a shorter list.',
  },
  E_MCP_ENDLESS: {
    title: 'An answer without an end',
    cause: 'The MCP server kept sending until the time of the call was over, and the answer never came.',
    fix: 'Look at the server; raise its `timeoutMs` if the call really takes so long.',
  },
  E_MCP_PROTOCOL: {
    title: 'Not the Model Context Protocol',
    cause:
      'What the server answers is neither JSON nor a stream of events of this protocol, or breaks its rules.',
    fix: 'See that `url` or `command` of the server in cuebook.yaml is that of an MCP server.',
  },
  E_MCP_CONNECT: {
    title: 'No way to the server',
    cause: 'No connection to the MCP server could be made: refused, name not found, or interrupted.',
    fix: 'See that the server runs, and correct `url` in cuebook.yaml.',
  },
  E_MCP_REDIRECT: {
    title: 'A server that sends elsewhere',
    cause:
      'The MCP server answered with a redirect. Calls, and the key, go only to the address that the project names.',
    fix: 'If the server has moved to an address that you trust, set its `url` in cuebook.yaml to it.',
  },
  E_MCP_CUT: {
    title: 'An answer that was cut off',
    cause: 'The MCP server, or something between, closed the connection in the middle of an answer.',
    fix: 'Try again, and look at the log of the server. The call may have been made.',
  },
  E_MCP_TLS: {
    title: 'A certificate that is not trusted',
    cause:
      'The certificate of the MCP server has expired, is for another name, or is signed by nobody known.',
    fix: 'Renew the certificate, or name its authority in NODE_EXTRA_CA_CERTS.',
  },
  E_MCP_TIMEOUT: {
    title: 'The server did not answer in time',
    cause: 'The MCP server was silent for longer than its `timeoutMs`, or took too long to start.',
    fix: 'Look at the server, or raise its `timeoutMs` in cuebook.yaml.',
  },
  E_MCP_CRASH: {
    title: 'The program of a server has ended',
    cause: 'The program of the MCP server ended before it answered.',
    fix: 'Run the `command` of the server by hand to see why it ends.',
  },
  E_MCP_START: {
    title: 'The program of a server cannot be started',
    cause: 'The `command` of the MCP server is not installed, or may not be run.',
    fix: 'Install it, or correct `command` in cuebook.yaml.',
  },
  E_MCP_SCHEMA: {
    title: 'A tool of a server is not offered',
    cause:
      'Its name, or the name of an argument, is not plain: blanks, hidden characters, something private; or its schema is too large. A server writes these, and a model would read them as words.',
    fix: 'Ask whoever keeps the server to use plain names; other tools of the server are offered.',
  },
  W_MCP_SERVER: {
    title: 'Tools of a server are not shown',
    cause:
      'A prompt or an agent may use MCP servers of the project, and one of them could not be asked what it offers. `render`, `explain`, `diff` and `test` ask them as a run does: they start the program or call the address, list the tools, and end it.',
    fix: 'The message says what is wrong with the server. A run that begins now has the same tools as are shown.',
  },
  MCP_CALL_FAILED: {
    title: 'The server did not answer',
    cause: 'The MCP server has ended, did not answer in time, or answered with an error of the protocol.',
    fix: 'Try another way; if it stays, look at the server that `cuebook.yaml` names.',
  },
  MCP_TOOL_ERROR: {
    title: 'The tool of a server failed',
    cause: 'The MCP server ran the tool, and says that it failed. The message is the server’s own.',
    fix: 'Correct the arguments, or try another way.',
  },
} as const satisfies Record<string, CodeEntry>;
