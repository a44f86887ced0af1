export { SERVER_CODES } from './codes.js';
export { type AppParts, createApp, type Page } from './http/app.js';
export { type Auth, OWNER, ownerAuth, type Principal } from './http/auth.js';
export type { HttpError, HttpStatus } from './http/error.js';
export { badField, fromHost, notFound } from './http/error.js';
export {
  type AnyGroup,
  type Handler,
  type Immutable,
  type RequestContext,
  type RouteGroup,
  routeGroup,
} from './http/group.js';
export type { StartError } from './start/error.js';
export { type FoundServer, findServer } from './start/find-server.js';
export type { OpenedProject, ProjectOptions } from './start/open-project.js';
export { type RunningServer, type StartOptions, startServer } from './start/start-server.js';
