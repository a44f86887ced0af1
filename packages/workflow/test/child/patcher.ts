import { openFolder } from '@cuebook/files';
import { createConfirmations, loadPackage, openStateFile } from '../../src/index.js';

/** A process that counts in the state, each time from the version that it has read; it prints how often it won. */
const [, , pkg = '', folder = '', rounds = '0'] = process.argv;
const source = await openFolder(pkg, { access: 'ro' });
const keeper = await openFolder(folder);
if (!source.ok || !keeper.ok) throw new Error('no folders');
const loaded = await loadPackage(source.value);
const workflow = loaded.ok ? loaded.value.workflows.get(loaded.value.entry) : undefined;
if (workflow === undefined) throw new Error('no workflow');
const file = openStateFile({ folder: keeper.value, workflow, confirmations: createConfirmations() });
const codes: Record<string, number> = {};
for (let round = 0; round < Number(rounds); round += 1) {
  const now = await file.read();
  if (!now.ok) throw new Error(now.error.code);
  const count = Number(now.value.state.variables.count ?? 0);
  const update = { variables: { set: { count: count + 1 } } };
  const done = await file.patch({ operation: 'updateFrontmatter', update, ifMatchSha256: now.value.sha256 });
  const code = done.ok ? 'ok' : done.error.code;
  codes[code] = (codes[code] ?? 0) + 1;
}
process.stdout.write(JSON.stringify(codes));
