import type { Shape } from '@cuebook/api/shapes';
import { codePoints } from '../card/points.js';

/** What does not fit, each with its place. Members that the shape does not name do not fit. At most 20. */
export function shapeProblems(value: unknown, shape: Shape): readonly string[] {
  return visit(value, shape, 'the answer').slice(0, 20);
}

function visit(value: unknown, shape: Shape, at: string): readonly string[] {
  switch (shape.type) {
    case 'nullable':
      return value === null ? [] : visit(value, shape.shape, at);
    case 'string':
      return stringProblems(value, shape, at);
    case 'choice':
      return shape.of.includes(value as string) ? [] : [`${at} is one of: ${shape.of.join(', ')}`];
    case 'integer':
    case 'number':
      return numberProblems(value, shape, at);
    case 'array':
      return arrayProblems(value, shape, at);
    case 'object':
      return objectProblems(value, shape.members, at);
    case 'variant': {
      if (!isRecord(value)) return [`${at} is an object`];
      const own = value[shape.on];
      const chosen = typeof own === 'string' && Object.hasOwn(shape.of, own) ? shape.of[own] : undefined;
      return chosen === undefined
        ? [`${at}.${shape.on} is one of: ${Object.keys(shape.of).join(', ')}`]
        : visit(value, chosen, at);
    }
  }
}

type Of<Type> = Extract<Shape, { readonly type: Type }>;

function stringProblems(value: unknown, { min, max }: Of<'string'>, at: string): readonly string[] {
  if (typeof value !== 'string') return [`${at} is a text`];
  const length = codePoints(value.trim());
  return length < min || length > max
    ? [`${at} has ${length} characters, ${min} to ${max} are asked for`]
    : [];
}

function numberProblems(
  value: unknown,
  { type, min, max }: { readonly type: string; readonly min: number; readonly max: number },
  at: string,
): readonly string[] {
  const right = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  if (!right) return [`${at} is ${type === 'integer' ? 'a whole number' : 'a number'}`];
  return (value as number) < min || (value as number) > max ? [`${at} lies between ${min} and ${max}`] : [];
}

function arrayProblems(value: unknown, { min, max, items }: Of<'array'>, at: string): readonly string[] {
  if (!Array.isArray(value)) return [`${at} is a list`];
  if (value.length < min || value.length > max)
    return [`${at} has ${value.length} items, ${min} to ${max} are asked for`];
  return value.flatMap((item, index) => visit(item, items, `${at}[${index}]`));
}

function objectProblems(
  value: unknown,
  members: Readonly<Record<string, Shape>>,
  at: string,
): readonly string[] {
  if (!isRecord(value)) return [`${at} is an object`];
  const surplus = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  return [
    ...(surplus.length === 0 ? [] : [`${at} has ${surplus.length} members that nobody asked for`]),
    ...Object.entries(members).flatMap(([name, shape]) =>
      Object.hasOwn(value, name) ? visit(value[name], shape, `${at}.${name}`) : [`${at}.${name} is missing`],
    ),
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
