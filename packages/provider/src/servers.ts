// MCP servers as tools of runs, apart from the voices: commands that only look start faster.
export { type AnswerTool, answeredServers } from './server/answered.js';
export { askServers, pickServers, serverNote } from './server/ask.js';
export { type ConnectOptions, connectServers } from './server/connect.js';
export { type LoginError, logIn } from './server/log-in.js';
export type { ServerLogin, ServerLogins } from './server/logins.js';
export { NO_SERVERS, type ServerAnswer, type Servers, type ServerTool } from './server/servers.js';
export {
  readServers,
  type ServersConfig,
  serverName,
  serversSchema,
} from './server/settings.js';
