// @ts-check
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `test/ceph.ts` starts or asks beside the gateway. */
const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw-admin'];

/**
 * Whether everything that a cluster of one needs stands beside the gateway.
 *
 * @param {string} path of `radosgw`
 */
export const hasCeph = (path) => PROGRAMS.every((program) => existsSync(join(dirname(path), program)));
