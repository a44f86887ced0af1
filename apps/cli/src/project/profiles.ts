import { manifestProfile } from '@cuebook/manifest';
import type { AnyProfile } from '@cuebook/profile';
import { sheetProfile } from '@cuebook/sheet';

/** Every kind of target. A new kind adds its record here, and flags, help and completion follow. */
export const PROFILES: readonly AnyProfile[] = [sheetProfile, manifestProfile];
