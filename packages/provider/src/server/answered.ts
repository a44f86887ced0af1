import type { Servers } from './servers.js';

/** What a call of a tool is answered with where it is not made. */
export type AnswerTool = (tool: string, args: unknown) => string;

/** The same servers with the same tools, none of which is called: each call is answered with a text. */
export const answeredServers = (servers: Servers, answer: AnswerTool): Servers => ({
  get tools() {
    return servers.tools;
  },
  get reached() {
    return servers.reached;
  },
  get problems() {
    return servers.problems;
  },
  refresh: () => servers.refresh(),
  call: async ({ name }, args) => ({ ok: true, text: answer(name, args) }),
  close: () => servers.close(),
});
