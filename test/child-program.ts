import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { INLINED } from '../scripts/bundle.mjs';

/** A program for child processes, as one file of JavaScript. */
export interface ChildProgram {
  readonly program: string;
  readonly remove: () => void;
}

/**
 * Builds a program of a package's `test/child/` together with our packages, from their sources. It lies in the
 * package's own `node_modules`, so that the other packages it imports are found; `folder` is another place for it.
 */
export async function buildProgram(
  entry: URL,
  folder = new URL('../../node_modules/.cache/', entry),
): Promise<ChildProgram> {
  const name = `${basename(entry.pathname, '.ts')}-${process.pid}`;
  const outDir = join(fileURLToPath(folder), name);
  const conditions = ['@cuebook/source', 'node'];
  // Loaded when it is used: most runs of a test file that imports this have nothing to build.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    plugins: [textsInPlace],
    // What the command has inlined, these have too: they are started hundreds of times.
    ssr: { noExternal: [/^@(?:cuebook|agentclientprotocol)\//, ...INLINED], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(entry),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      // In one file: a part that is loaded later would wait for the program that waits for it.
      rollupOptions: { output: { entryFileNames: 'program.mjs', codeSplitting: false } },
    },
  });
  return {
    program: join(outDir, 'program.mjs'),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}

/** The texts that a package ships are read where they lie in its sources. */
const textsInPlace = {
  name: 'texts-in-place',
  transform: (code: string, id: string) =>
    id.endsWith('/src/shipped-texts.ts')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
};
