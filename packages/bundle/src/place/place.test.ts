import { describe, expect, test } from 'vitest';
import { must, reasonOf } from '../../test/scratch.js';
import { certify } from '../cert/certify.js';
import { KEYS } from '../ids.js';
import { createKey } from '../key/key.js';
import { dayIn, isTimeZone } from './day.js';
import { certifyPlace, placeSchema, readPlace } from './manifest.js';

const NOW = Date.UTC(2026, 10, 15, 12);
const { signer } = createKey();
const keys = new Map([[signer.keyId, signer.publicKey.object]]);
const topic = placeSchema.parse({ kind: 'topic', id: 'hall', title: 'The hall', mode: 'freeform' });
const options = { signer, issuer: 'test', version: 2, now: NOW, lifetimeMs: 60_000 };

describe('the manifest of a place', () => {
  const bytes = must(certifyPlace(topic, options));
  const read = (
    stored: Uint8Array,
    of: { kind: 'topic' | 'task' | 'circle'; id: string } = topic,
    more = {},
  ) => readPlace(stored, of, { keys, now: NOW, ...more });

  test('is taken from its own key alone, while it is valid, and not below a version that was seen', () => {
    expect(must(read(bytes))).toEqual(topic);
    expect(reasonOf(read(bytes, { kind: 'topic', id: 'other' }))).toBe('E_CERT wrong_subject');
    expect(reasonOf(read(bytes, { kind: 'task', id: 'hall' }))).toBe('E_CERT wrong_kind');
    expect(reasonOf(read(bytes, topic, { floor: 3 }))).toBe('E_CERT rollback');
    expect(reasonOf(read(bytes, topic, { now: NOW + 60_000 }))).toBe('E_CERT expired');
    expect(reasonOf(read(bytes, topic, { keys: new Map() }))).toBe('E_CERT unknown_key');
    // Certified for this place, and about another one inside.
    const binding = { kind: 'topic_manifest', subject: 'hall', objectKey: KEYS.topic('hall') };
    const inside = must(certify({ ...topic, id: 'other', kind: 'topic_manifest' }, { ...options, binding }));
    expect(reasonOf(read(inside))).toBe('E_CERT wrong_subject');
  });

  test('with any byte changed is none', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect([at, read(changed).ok]).toEqual([at, false]);
    }
  });
});

test.each([
  ['Asia/Shanghai', '2026-11-15T15:59:59Z', '20261115'],
  ['Asia/Shanghai', '2026-11-15T16:00:00Z', '20261116'],
  ['America/New_York', '2026-11-16T04:59:59Z', '20261115'],
  ['UTC', '2026-01-01T00:00:00Z', '20260101'],
  ['Nowhere/Land', '2026-01-01T00:00:00Z', '20260101'],
])('in %s it is at %s the day %s', (zone, at, day) => {
  expect(dayIn(zone, Date.parse(at))).toBe(day);
});

test('a zone that nobody knows is none', () => {
  expect(['Europe/Paris', 'Nowhere/Land', ''].map(isTimeZone)).toEqual([true, false, false]);
  expect(placeSchema.safeParse({ ...topic, rules: { day_boundary_timezone: 'Nowhere/Land' } }).success).toBe(
    false,
  );
});
