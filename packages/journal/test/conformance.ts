import { describe } from 'vitest';
import { appendCases } from './conformance/append.js';
import { auditCases } from './conformance/audit.js';
import { boundCases } from './conformance/bound.js';
import { carryCases } from './conformance/carry.js';
import { faultCases } from './conformance/fault.js';
import { keepCases } from './conformance/keep.js';
import { leaseCases } from './conformance/lease.js';
import { listCases } from './conformance/lists.js';
import { ownerCases } from './conformance/owner.js';
import { readCases } from './conformance/read.js';
import { registerCases } from './conformance/register.js';
import { schemaCases } from './conformance/schema.js';
import { subscribeCases } from './conformance/subscribe.js';
import type { Places } from './places.js';

/** What every driver promises. */
export function storeConformance(places: Places): void {
  describe('append', () => appendCases(places));
  describe('bounds', () => boundCases(places));
  describe('reading', () => readCases(places));
  describe('subscribing', () => subscribeCases(places));
  describe('leases', () => leaseCases(places));
  describe('lists', () => listCases(places));
  describe('registers', () => registerCases(places));
  describe('blobs and removal', () => keepCases(places));
  describe('audit', () => auditCases(places));
  describe('adoption, backup and restore', () => carryCases(places));
  describe('layouts', () => schemaCases(places));
  describe('a project of its own', () => ownerCases(places));
  describe('faults', () => faultCases(places));
}
