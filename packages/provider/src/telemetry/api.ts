import { createRequire } from 'node:module';
import { guard } from '@cuebook/guard';
import type * as Otel from '@opentelemetry/api';

export type TelemetryApi = typeof Otel;

/**
 * The OpenTelemetry API of the application, or undefined where it has none or telemetry is off. It is a peer: only
 * with the application's own copy do spans and numbers reach the SDK that the application has set up.
 */
export function telemetry(): TelemetryApi | undefined {
  if (guard('telemetry.off', !isOn())) return undefined;
  found ??= { api: load() };
  return found.api;
}

let found: { readonly api: TelemetryApi | undefined } | undefined;

function load(): TelemetryApi | undefined {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as TelemetryApi;
  } catch {
    return undefined; // Not installed: nobody wants to know.
  }
}

let chosen: boolean | undefined;

/** Turns telemetry on or off for this process; undefined leaves it to the environment. `CUEBOOK_TELEMETRY` goes first. */
export function switchTelemetry(on: boolean | undefined): void {
  chosen = on;
}

const isOn = (): boolean => ofEnvironment(process.env.CUEBOOK_TELEMETRY) ?? chosen ?? true;

function ofEnvironment(value = ''): boolean | undefined {
  if (/^(?:off|0|false|no)$/i.test(value)) return false;
  return /^(?:on|1|true|yes)$/i.test(value) ? true : undefined;
}
