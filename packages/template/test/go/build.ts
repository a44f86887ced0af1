import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the Go program in `folder` with this `go`. Uses no network and nothing but Go's own library. */
export function buildGo(go: string, folder: string, program: string): void {
  const env = {
    ...process.env,
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    CGO_ENABLED: '0',
    // Beside the toolchain: compiling the library takes longer than all the rest.
    GOCACHE: process.env.GOCACHE || join(cacheFolder(), 'go-build'),
  };
  execFileSync(go, ['build', '-o', program, '.'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function cacheFolder(): string {
  const home = process.env.HOME ?? '';
  return join(process.env.XDG_CACHE_HOME || join(home, '.cache'), 'cuebook');
}
