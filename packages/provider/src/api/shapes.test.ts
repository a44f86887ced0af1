import { describe, expect, it } from 'vitest';
import { modelFetch } from '../../../../test/model-server/index.js';
import { inTurn, SEED, share } from '../../../../test/runs.js';
import { play, redactor } from '../../test/play.js';
import { MODELS, requestOfShape, SHAPES } from '../../test/shapes.js';
import { createApiProvider } from './provider.js';
import type { ApiName } from './vendor.js';

/** A soak tries every shape, a test some of them, each with the model whose turn it is by the seed. */
const sampleOf = (api: ApiName) => {
  const models = MODELS[api];
  const step = share(17, 1);
  return SHAPES.flatMap((shape, index) =>
    index % step === SEED % step
      ? [{ ...shape, model: models[(Math.floor(index / step) + SEED) % models.length] as string }]
      : [],
  );
};

describe.each(inTurn(Object.keys(MODELS) as readonly ApiName[], 4))('%s', (api) => {
  it('takes requests of every shape: talks, tools, parallel calls, pictures, thinking and forms of answers', async () => {
    const refused: unknown[] = [];
    const shapes = sampleOf(api);
    for (const shape of shapes) {
      const { fetch, requests } = modelFetch({ text: '{"answer":"yes"}' });
      const baseUrl = 'http://127.0.0.1:9/v1';
      const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
      const session = provider.open({ model: shape.model, redactor });
      const { end } = await play(session, { request: requestOfShape(shape) });
      const why = requests.find((request) => request.refused)?.refused;
      if (end.reason !== 'done' || why) refused.push([shape, end.error?.message, why]);
    }
    expect(refused).toEqual([]);
    expect(shapes.length).toBeGreaterThan(45);
  });
});
