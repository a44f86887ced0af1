import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A child program as one file of JavaScript, beside the packages that it imports. */
export async function buildChild(
  name: 'program' | 'cli-program' = 'program',
): Promise<{ readonly program: string; readonly remove: () => void }> {
  const outDir = fileURLToPath(new URL(`../../node_modules/.cache/${name}-${process.pid}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@cuebook/source', 'node'] },
    ssr: { noExternal: [/^@cuebook\//], resolve: { conditions: ['@cuebook/source', 'node'] } },
    build: {
      ssr: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
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
