// @ts-check
import './node-version.mjs';
import { keepFamily } from './family/keep.mjs';
import { withNode } from './nodes/with-node.mjs';
import { runSuite, tellCounts } from './suite.mjs';

// Everything that proves the checkout: set-up, types, lint, tests. Arguments go to vitest:
//   npm test -- packages/prompt       the tests of a part
//   npm test -- --node 26             all of it on another version of Node
// The last line is always `N passed, N failed, N skipped`.

const endFamily = keepFamily();
const { args, answer } = await withNode(process.argv.slice(2));
process.exitCode = answer ?? tellCounts(await runSuite(args));
await endFamily();
