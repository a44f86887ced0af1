import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './root.js';

/**
 * A package as JavaScript, for child processes that are to be killed. It stands inside the checkout, so that the
 * packages it needs are found, with the texts of the package beside it.
 */
export function compilePackage(name: string): { readonly url: string; readonly remove: () => void } {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const out = mkdtempSync(join(ROOT, '.cache', `${name}-built-`));
  const project = join(ROOT, 'packages', name, 'tsconfig.json');
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const args = ['-p', project, '--outDir', join(out, 'js'), '--tsBuildInfoFile', join(out, 'info')];
  execFileSync(process.execPath, [join(compiler, '..', 'bin', 'tsc'), ...args, '--noCheck'], {
    stdio: 'pipe',
  });
  const texts = join(ROOT, 'packages', name, 'texts');
  if (existsSync(texts)) cpSync(texts, join(out, 'texts'), { recursive: true });
  return {
    url: pathToFileURL(join(out, 'js', 'index.js')).href,
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}
