/** A program that an agent starts to reach a server of ours over its standard streams. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * For agents that take no MCP server over HTTP: a line of standard input is posted to the loopback server, and
 * its answer is a line of standard output. The token is in the environment, where other users do not see it.
 */
export const stdioBridge = (url: string, token: string): StdioServer => ({
  command: process.execPath,
  args: ['--input-type=module', '-e', PROGRAM],
  env: { CUEBOOK_MCP_URL: url, CUEBOOK_MCP_TOKEN: token },
});

const PROGRAM = `
import { createInterface } from 'node:readline';
const { CUEBOOK_MCP_URL: url, CUEBOOK_MCP_TOKEN: token } = process.env;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  fetch(url, { method: 'POST', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' }, body: line })
    .then((answer) => answer.status === 200 ? answer.text() : '')
    .then((text) => text === '' || process.stdout.write(text + '\\n'))
    .catch(() => process.exit(1));
}
`;
