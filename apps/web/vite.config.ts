import { defaultClientConditions, defineConfig } from 'vite';

/** The app is built into the folder that the server serves. Nothing is inlined: the page's policy forbids it. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@cuebook/source', ...defaultClientConditions] },
  build: {
    outDir: '../server/page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      onLog(level, log, handle) {
        // Packages mark files for servers that render; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  logLevel: 'warn',
});
