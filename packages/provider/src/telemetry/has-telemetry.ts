import { telemetry } from './api.js';

/** Whether the application has the OpenTelemetry API, and telemetry is on. */
export const hasTelemetry = (): boolean => telemetry() !== undefined;
