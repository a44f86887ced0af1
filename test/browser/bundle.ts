import { isBuiltin } from 'node:module';
import { build } from 'vite';

/**
 * Bundles a module for a browser as one script that puts the module's exports on `globalThis[name]`. An
 * import of a Node module anywhere below it fails, naming the importer; vite alone would put an empty
 * module in its place.
 */
export async function bundleForBrowser(entry: string, name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@cuebook/source', 'browser'] },
    plugins: [{ name: 'no-node', enforce: 'pre', resolveId: refuseBuiltin }],
    build: { write: false, minify: false, target: 'es2023', lib: { entry, formats: ['iife'], name } },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error('vite answered no bundle');
  return output.output[0].code;
}

function refuseBuiltin(specifier: string, importer: string | undefined): null {
  if (isBuiltin(specifier)) throw new Error(`${importer} imports ${specifier}, which no browser has`);
  return null;
}
