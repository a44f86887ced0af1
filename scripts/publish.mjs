// @ts-check
import './node-version.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepFamily } from './family/keep.mjs';
import { ensureInstalled } from './install.mjs';
import { capture, npmCommand, run } from './process.mjs';
import { buildPublished, publishFolder } from './publish/build.mjs';
import { PUBLIC } from './publish/cut.mjs';

// Builds what is published and hands it to npm, packages before those that depend on them. A version that the registry
// has is left out, so that a release that was cut off goes on where it was. Arguments go to `npm publish`:
//   npm run release -- --dry-run

keepFamily();
const { built } = await ensureInstalled();
if (!built) process.exit(1);
await buildPublished();
const [npm, ...first] = npmCommand();
for (const { name } of PUBLIC) {
  const folder = publishFolder(name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const known = await capture(npm, [...first, 'view', `${name}@${version}`, 'version', '--loglevel=silent']);
  if (known.stdout.trim() === version) {
    console.log(`${name} ${version} is published.`);
    continue;
  }
  const code = await run(npm, [
    ...first,
    'publish',
    folder,
    '--access',
    'public',
    '--ignore-scripts',
    ...process.argv.slice(2),
  ]);
  if (code !== 0) process.exit(code);
}
