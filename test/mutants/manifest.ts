import { type Mutant, rows } from './rows.js';

/** The guards of `packages/manifest`. */
export const MANIFEST_MUTANTS: readonly Mutant[] = [
  ...rows('packages/manifest', 'src/manifests.test.ts', {
    'manifest.twice': 'a ConfigMap told twice is reported with its place',
    'manifest.unicode': 'half a character is reported with its place',
    'secret.base64': 'a Secret that is not base64 is reported with its place',
  }),
  ...rows('packages/manifest', 'src/profile.test.ts', {
    'secret.computed': 'quoted is masked',
  }),
  ...rows('packages/manifest', 'src/resolve.test.ts', {
    'message.both': 'is refused: that is there twice',
  }),
  ...rows('packages/manifest', 'src/check.test.ts', {
    'secret.error': 'is not quoted when it does not parse',
    'source.kind': 'of an unknown kind',
    'source.collision': 'that collide, all of them',
    'source.missing': 'that are not there, and nothing about their keys',
    'check.include': 'every problem comes at once',
    'check.field': 'every problem comes at once',
  }),
];
