import { PatternFault, type PatternNode, parsePattern } from './parse.js';

/** A pattern that was read. Matching takes time in proportion to the text, whatever the pattern and the text are. */
export interface Pattern {
  /** Whether all of the text matches. */
  readonly matchesAll: (text: string) => boolean;
  /** Whether a part of the text matches. */
  readonly matchesPart: (text: string) => boolean;
}

type ReadPattern =
  | { readonly ok: true; readonly value: Pattern }
  | { readonly ok: false; readonly error: string };

/** A pattern may come to no more steps than this, counts written out. */
const MAX_STEPS = 2_000;

/** Reads a pattern (see `parsePattern`), or says why it is not taken. */
export function readPattern(text: string): ReadPattern {
  try {
    const steps: Step[] = [];
    compile(parsePattern(text), steps);
    steps.push({ kind: 'match' });
    return {
      ok: true,
      value: { matchesAll: (each) => run(steps, each, true), matchesPart: (each) => run(steps, each, false) },
    };
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, error: error.message };
    throw error;
  }
}

type Step =
  | { readonly kind: 'char'; readonly test: (char: string) => boolean }
  | { readonly kind: 'start' | 'end' | 'match' }
  /** Goes on at both places. */
  | { readonly kind: 'fork'; to: readonly number[] };

function compile(node: PatternNode, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new PatternFault(`it comes to more than ${MAX_STEPS} steps`);
  switch (node.kind) {
    case 'sequence':
      for (const each of node.nodes) compile(each, steps);
      return;
    case 'choice': {
      const fork = place(steps);
      const ends: Fork[] = [];
      const starts: number[] = [];
      for (const each of node.nodes) {
        starts.push(steps.length);
        compile(each, steps);
        ends.push(place(steps));
      }
      fork.to = starts;
      for (const end of ends) end.to = [steps.length];
      return;
    }
    case 'repeat':
      compileRepeat(node, steps);
      return;
    default:
      steps.push(node);
  }
}

type Fork = Extract<Step, { readonly kind: 'fork' }>;

/** A fork whose places are told later. */
function place(steps: Step[]): Fork {
  const fork: Fork = { kind: 'fork', to: [] };
  steps.push(fork);
  return fork;
}

function compileRepeat({ node, min, max }: Extract<PatternNode, { kind: 'repeat' }>, steps: Step[]): void {
  for (let count = 0; count < min; count += 1) compile(node, steps);
  if (max === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    const fork = place(steps);
    compile(node, steps);
    place(steps).to = [start];
    fork.to = [start + 1, steps.length];
    return;
  }
  const forks: Fork[] = [];
  for (let count = min; count < max; count += 1) {
    const fork = place(steps);
    fork.to = [steps.length];
    forks.push(fork);
    compile(node, steps);
  }
  for (const fork of forks) fork.to = [...fork.to, steps.length];
}

/** All places that the pattern can be at, moved on character by character. */
function run(steps: readonly Step[], text: string, whole: boolean): boolean {
  const chars = [...text];
  let now: number[] = [];
  const marks = new Int32Array(steps.length).fill(-1);
  for (let at = 0; at <= chars.length; at += 1) {
    const isEnd = at === chars.length;
    if (at === 0 || !whole) now.push(0);
    const next: number[] = [];
    const open = now;
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (marks[step] === at) continue;
      marks[step] = at;
      const each = steps[step] as Step;
      if (each.kind === 'match') {
        if (!whole || isEnd) return true;
      } else if (each.kind === 'fork') open.push(...each.to);
      else if (each.kind === 'char') {
        if (!isEnd && each.test(chars[at] as string)) next.push(step + 1);
      } else if (each.kind === 'start' ? at === 0 : isEnd) open.push(step + 1);
    }
    now = next;
  }
  return false;
}
