/**
 * zod of this package. The build makes one file of its hundred: to find and read them takes a process longer than all
 * else that it does. Where nothing is built it is the package itself.
 *
 * @returns {Promise<typeof import('zod')>}
 */
export const loadZod = () => import(BUILT).catch(() => import('zod'));

const BUILT = new URL('../dist/zod/zod.js', import.meta.url).href;
