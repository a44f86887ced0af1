import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of the server. */
export const SERVER_CODES = {
  E_REQUEST: {
    title: 'A request that does not fit',
    cause:
      'A field is missing, unknown, or has another shape than it must have; the answer names it in `field`.',
    fix: 'Correct the field. `/api/v1/openapi.json` lists every request with its fields.',
  },
  E_REQUEST_SIZE: {
    title: 'A body that is too long',
    cause: 'The request has more bytes than are read for it.',
    fix: 'Send less: name a team file of the project instead of sending its text.',
  },
  E_REQUEST_TIME: {
    title: 'A body that did not come in time',
    cause: 'The connection was too slow, or broke off.',
    fix: 'Send the request again with the same command id.',
  },
  E_ROUTE: {
    title: 'Nothing at this address',
    cause: 'The path is not one of the interface.',
    fix: 'Look at `/api/v1/openapi.json` for the paths.',
  },
  E_METHOD: {
    title: 'Another method is needed',
    cause: 'The path is known, and asked with another method than this.',
    fix: 'Use the method that the message names.',
  },
  E_TOKEN: {
    title: 'No token, or a wrong one',
    cause: 'Every request but `health` carries the token of the server as `Authorization: Bearer TOKEN`.',
    fix: `Open the link that ${hint`up`} prints, or read the token from \`server.token\` in CUEBOOK_HOME.`,
  },
  E_WEBHOOK_SIGNATURE: {
    title: 'A delivery that is not believed',
    cause:
      'There is no such webhook, it has another secret, a byte of the delivery changed on its way, or its time is more than 5 minutes from the clock of the server.',
    fix: 'Sign `ID.TIMESTAMP.BODY` with the secret that was printed when the webhook was added, over exactly the bytes that are sent, and check the clocks.',
  },
  E_SIGN_IN_OPTIONS: {
    title: 'How people sign in is not said right',
    cause: 'A variable CUEBOOK_OIDC_… or the corresponding flag is missing or invalid; the message names it.',
    fix: 'Give the issuer and the client together, and roles with those who are let in: see the page about people.',
  },
  E_SIGN_IN_OFF: {
    title: 'Nobody signs in at this server',
    cause: 'No OpenID Connect provider is configured.',
    fix: 'Start it with CUEBOOK_OIDC_ISSUER and CUEBOOK_OIDC_CLIENT_ID, or use a token.',
  },
  E_SIGN_IN_PROVIDER: {
    title: 'The sign-in provider cannot be used',
    cause:
      'It does not answer, does not know the client or its secret, or its answer is not what OpenID Connect demands: another issuer, another audience, a nonce or signature that does not fit, a code that was used before.',
    fix: 'Compare issuer, client, secret and redirect URI with what the provider has, and sign in again.',
  },
  E_SIGN_IN_REFUSED: {
    title: 'The provider did not sign somebody in',
    cause: 'The person or the provider said no.',
    fix: 'Sign in again, or ask whoever runs the provider.',
  },
  E_SIGN_IN_WHO: {
    title: 'Signed in, but not a person of this project',
    cause:
      'No person has the e-mail address, the provider has not verified it, gives no role, or an owner has removed the person.',
    fix: `An owner adds the person with the address: ${hint`people add NAME --role ROLE --email ADDRESS`}.`,
  },
  E_SIGN_IN_STATE: {
    title: 'A sign-in that was not started here',
    cause: 'It was started in another tab, more than 10 minutes ago, or has been used.',
    fix: 'Sign in again.',
  },
  E_SIGN_OUT: {
    title: 'A token that does not sign out',
    cause: 'It is the token of the server itself, which is no person’s.',
    fix: 'Close the page. Only tokens of people are taken back by signing out.',
  },
  E_ROLE_NOT_ALLOWED: {
    title: 'A token that may not ask this',
    cause: 'The role of the token does not reach that far.',
    fix: 'Ask with a token of another role.',
  },
  E_HOST: {
    title: 'Another host was asked for',
    cause:
      'The Host header names something else than this server: a name was made to point here, or a proxy rewrites it.',
    fix: `Use the address that ${hint`up`} prints.`,
  },
  E_ORIGIN: {
    title: 'A page of another origin',
    cause: 'A browser sent this request for a page that does not come from this server.',
    fix: 'Use the page of the server itself, or a program.',
  },
  E_SERVER: {
    title: 'The server failed',
    cause: 'An unexpected error; the log of the server has the details.',
    fix: 'Look at the log, and ask again. A command with the same id is done once.',
  },
  E_SERVER_BUSY: {
    title: 'The answer took too long',
    cause: 'The server or the disk has too much to do.',
    fix: 'Ask again with the same command id.',
  },
  E_SERVER_RUNNING: {
    title: 'A server is running for this project',
    cause: 'Another process serves the same CUEBOOK_HOME; two would do the same work.',
    fix: 'Use that one: the message names its address.',
  },
  E_SERVER_DRAINING: {
    title: 'The process is ending',
    cause: 'The server or worker is shutting down: it lets turns under way end and takes no more work.',
    fix: 'Ask another server of the project, or this one when it is up again. A command with the same id is done once.',
  },
  E_SERVER_LAYOUT: {
    title: 'The tables are older than the program',
    cause: 'An older copy of the database was restored while this process ran.',
    fix: 'Start the process again: it brings the tables forward when it opens them.',
  },
  E_SERVER_STARTING: {
    title: 'The process is starting',
    cause: 'Records are being opened, and tables of an earlier version brought forward.',
    fix: 'Ask again in a moment.',
  },
  E_WORK_STALLED: {
    title: 'Work waits and no process takes it',
    cause:
      'Runs are due, and no worker that may take them does: none is up, or none has the label that they want.',
    fix: `Start a worker (${hint`worker`}), with the label where one is wanted. A worker that says this of itself is to be started again.`,
  },
  E_WORKER_UNKNOWN: {
    title: 'No such worker is up',
    cause: 'The worker has ended, or never was: each start of one has an id of its own.',
    fix: 'Look at the list of machines again.',
  },
  E_WORKER_SERVER: {
    title: 'A server is not drained from afar',
    cause: 'The id is that of a server, which others may be using.',
    fix: 'End it where it was started. It lets turns under way end.',
  },
  E_METRICS: {
    title: 'No metrics here',
    cause: 'Telemetry is off, or the package `@opentelemetry/api` is not installed.',
    fix: 'Turn telemetry on, or install `@opentelemetry/api` beside the program, and start it again.',
  },
  E_DATABASE: {
    title: 'No database is named',
    cause:
      'A worker takes runs that other machines began, from a database that they share. Without one there are none.',
    fix: 'Name the database of the project with --database or CUEBOOK_DATABASE_URL.',
  },
  E_PORT: {
    title: 'The port cannot be used',
    cause: 'Another program listens there, or the user may not use it.',
    fix: 'Name another port with --port, or leave it out and a free one is taken.',
  },
  E_ADDRESS: {
    title: 'Not an address to listen on',
    cause:
      'The address is not one of this machine, or it can be reached from others and that was not asked for.',
    fix: 'Leave --host out for this machine alone. To be reached from elsewhere, say so with the flag that the message names.',
  },
  E_HOME_OPEN: {
    title: 'Others may look into CUEBOOK_HOME',
    cause: 'The folder with the records and the token can be read by other users of this machine.',
    fix: 'Take the rights of others away: `chmod 700` on the folder that CUEBOOK_HOME names (`.cuebook` in the project).',
  },
  E_HOME: {
    title: 'CUEBOOK_HOME cannot be used',
    cause: 'The folder, or a file in it, cannot be read or written.',
    fix: 'Check that the folder exists, is yours, and has room.',
  },
} as const satisfies Record<string, CodeEntry>;
