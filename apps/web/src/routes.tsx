import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { readComparisonSearch, readMarkingSearch } from './compare/search.js';
import { readFragmentSearch } from './fragments/search.js';
import { readInspectSearch } from './inspect/search.js';
import { readLibrarySearch } from './library/search.js';
import { NeedsScreen } from './needs/needs-screen.js';
import { readPlatformSearch } from './platform/search.js';
import { readRunSearch } from './run/search.js';
import { RunsScreen } from './runs/runs-screen.js';
import { AppFrame } from './shell/frame.js';

const root = createRootRoute({ component: AppFrame });
const needs = createRoute({ getParentRoute: () => root, path: '/', component: NeedsScreen });
const runs = createRoute({ getParentRoute: () => root, path: '/runs', component: RunsScreen });
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./run/run-screen.js'), 'RunScreen'),
});
const turn = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/turns/$turn',
  validateSearch: readInspectSearch,
  component: lazyRouteComponent(() => import('./inspect/inspect-screen.js'), 'InspectScreen'),
});
const comparison = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/comparison',
  validateSearch: readComparisonSearch,
  component: lazyRouteComponent(() => import('./compare/comparison-screen.js'), 'ComparisonScreen'),
});
const marks = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/marks',
  validateSearch: readMarkingSearch,
  component: lazyRouteComponent(() => import('./compare/marking-screen.js'), 'MarkingScreen'),
});
const library = createRoute({
  getParentRoute: () => root,
  path: '/library',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./library/library-screen.js'), 'LibraryScreen'),
});
const fragments = createRoute({
  getParentRoute: () => root,
  path: '/fragments',
  validateSearch: readFragmentSearch,
  component: lazyRouteComponent(() => import('./fragments/fragments-screen.js'), 'FragmentsScreen'),
});
const platform = createRoute({
  getParentRoute: () => root,
  path: '/platform',
  validateSearch: readPlatformSearch,
  component: lazyRouteComponent(() => import('./platform/platform-screen.js'), 'PlatformScreen'),
});
const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./schedules/schedules-screen.js'), 'SchedulesScreen'),
});
const machines = createRoute({
  getParentRoute: () => root,
  path: '/machines',
  component: lazyRouteComponent(() => import('./machines/machines-screen.js'), 'MachinesScreen'),
});
const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-screen.js'), 'PeopleScreen'),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./start/start-screen.js'), 'StartScreen'),
});

/** What is selected is in the address, behind `#`: back works, a link to a byte is a link, and the server sees none of it. */
export const router = createRouter({
  routeTree: root.addChildren([
    needs,
    runs,
    run,
    turn,
    comparison,
    marks,
    library,
    fragments,
    platform,
    schedules,
    machines,
    people,
    start,
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
