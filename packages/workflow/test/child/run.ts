import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { ChildReport, ChildTask } from './task.js';

/** The child program as one file of JavaScript, beside the packages that it imports. */
export async function buildChild(
  entry: 'program' | 'patcher' = 'program',
): Promise<{ readonly program: string; readonly remove: () => void }> {
  const outDir = fileURLToPath(
    new URL(`../../node_modules/.cache/child-${entry}-${process.pid}`, import.meta.url),
  );
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@cuebook/source', 'node'] },
    ssr: { noExternal: [/^@cuebook\//], resolve: { conditions: ['@cuebook/source', 'node'] } },
    build: {
      ssr: fileURLToPath(new URL(`./${entry}.ts`, import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  return {
    program: join(outDir, 'program.mjs'),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}

/** Runs the child to its end: what it reports, or the signal that ended it. */
export function runChild(program: string, task: ChildTask): Promise<ChildReport | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('close', (code, signal) => {
      if (signal !== null) return resolve(signal);
      if (code !== 0) return reject(new Error(`the child ended with ${code}: ${errors}`));
      resolve(JSON.parse(out) as ChildReport);
    });
  });
}
