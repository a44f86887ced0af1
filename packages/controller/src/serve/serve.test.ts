import { expect, it } from 'vitest';
import { serveEndpoints } from './endpoints.js';
import { createMetrics } from './metrics.js';

it('tells a kubelet how it is and Prometheus what it counted', async () => {
  const metrics = createMetrics({
    looks: { kind: 'counter', help: 'Looks at objects.' },
    depth: { kind: 'gauge', help: 'Keys that wait.' },
    took: { kind: 'histogram', help: 'Seconds of a look.' },
  });
  let why: string | undefined = 'The first list is not in yet.';
  const served = await serveEndpoints({
    ...{ host: '127.0.0.1', port: 0, metrics },
    sick: () => undefined,
    unready: () => why,
  });
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, { method });
    return [answer.status, await answer.text()] as const;
  };
  try {
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz')).toEqual([503, 'The first list is not in yet.\n']);
    why = undefined;
    expect((await ask('/readyz'))[0]).toBe(200);
    metrics.count('looks', { outcome: 'a "b"\\\n' });
    metrics.count('looks', { outcome: 'a "b"\\\n' }, 2);
    metrics.set('depth', 7);
    metrics.observe('took', 0.03);
    metrics.count('unknown');
    const [, text] = await ask('/metrics');
    expect(text).toContain('# TYPE looks counter\nlooks{outcome="a \\"b\\"\\\\\\n"} 3\n');
    expect(text).toContain('depth 7\n');
    expect(text).toContain('took_bucket{le="0.025"} 0\n');
    expect(text).toContain('took_bucket{le="0.05"} 1\n');
    expect(text).toContain('took_count 1\n');
    expect(text).not.toContain('unknown');
    expect((await ask('/metrics', 'POST'))[0]).toBe(405);
    expect((await ask('/etc/passwd'))[0]).toBe(404);
  } finally {
    await served.close();
  }
});
