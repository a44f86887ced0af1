// @ts-check
import './node-version.mjs';
import { ROOT, run } from './process.mjs';
import { finishVersion } from './publish/version.mjs';

// Turns the files of .changeset into versions and changelogs, in every file that names the version:
//   npm run release:version

const code = await run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], { cwd: ROOT });
if (code !== 0) process.exit(code);
console.log(`The version is ${finishVersion(ROOT)}.`);
