import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** This package as JavaScript in a folder of its own, for child processes that are to be killed. */
export function compilePackage(): { readonly url: string; readonly remove: () => void } {
  const out = mkdtempSync(join(tmpdir(), 'files-built-'));
  const project = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const args = ['-p', project, '--outDir', join(out, 'js'), '--tsBuildInfoFile', join(out, 'info')];
  execFileSync(process.execPath, [join(compiler, '..', 'bin', 'tsc'), ...args], { stdio: 'pipe' });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  return {
    url: pathToFileURL(join(out, 'js', 'index.js')).href,
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}
