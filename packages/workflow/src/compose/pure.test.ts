import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mustLoad, state } from '../../test/fixture.js';
import { composeTurn } from './compose.js';

const FOLDER = fileURLToPath(new URL('./', import.meta.url));
const sources = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

it('composing needs no file, clock or process, and gives the same bytes again', async () => {
  expect(sources.length).toBeGreaterThan(5);
  for (const name of sources) {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    expect([
      name,
      /from '(?:node:|@cuebook\/files)|Date\.now|Math\.random|process\./.exec(text)?.[0],
    ]).toEqual([name, undefined]);
  }
  const { package: loaded, workflow } = await mustLoad();
  const turn = {
    package: loaded,
    mode: { kind: 'run', workflow, state: state({ variables: { a: 1 } }), intent: 'start', autopilot: false },
    activeAgentId: 'sm',
    input: 'hi',
  } as const;
  expect(composeTurn(turn)).toEqual(composeTurn(turn));
});
