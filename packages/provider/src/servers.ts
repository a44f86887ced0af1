// MCP servers as tools of runs, apart from the voices: commands that only look start faster.
export { type AnswerTool, answeredServers } from './server/answered.js';
export { askServers, pickServers, type ServersOffer, serverNote, unaskedServers } from './server/ask.js';
export { type ConnectOptions, connectServers } from './server/connect.js';
export { type LoginError, logIn } from './server/log-in.js';
export { logOut, type Revocation } from './server/log-out.js';
export type { ServerLogin, ServerLogins } from './server/logins.js';
export {
  answerText,
  NO_SERVERS,
  type ServerAnswer,
  type Servers,
  type ServerTool,
  serverSource,
} from './server/servers.js';
export {
  readServers,
  type ServersConfig,
  serverName,
  serversSchema,
} from './server/settings.js';
