import { describeKind } from '../../host/test/conformance.js';
import { threadRuns } from '../src/kind/thread-kind.js';
import { desk } from './project.js';

const inAgents = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`agents/${path}`, text]));

describeKind('a thread', {
  kind: threadRuns,
  files: inAgents(desk()),
  target: 'agent:desk',
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'done',
});
