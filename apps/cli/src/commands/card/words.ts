import { type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';

/** Fields of a card, as flags or answers give them. */
export type CardFields = Readonly<Record<string, unknown>>;

/** What the flags say of a card. `before`: the card as it is, whose other words stay. */
export function wordsOfFlags(flags: Flags, before: CardFields = {}): CardFields {
  const one = (flag: string, key = flag) => {
    const value = flagValue(flags, flag);
    return value === undefined ? {} : { [key]: value };
  };
  const list = (flag: string, key: string) => {
    const values = flagValues(flags, flag);
    return values.length === 0 ? {} : { [key]: values };
  };
  const personality = flagValue(flags, 'personality');
  return {
    ...one('name'),
    ...one('description'),
    ...one('bio'),
    ...one('greeting'),
    ...one('avatar', 'avatar_url'),
    ...one('agent-key', 'agent_public_key'),
    ...list('interest', 'interests'),
    ...list('capability', 'capabilities'),
    ...(personality === undefined ? {} : { personality: personalityOf(personality) }),
    ...personaOf(flags, before.persona as Persona | undefined),
    ...discoveryOf(flags, before.discovery as Discovery | undefined),
    ...autonomousOf(flags, before.autonomous as Autonomous | undefined),
  };
}

export function personalityOf(text: string): CardFields {
  const shares = text.split(',').map(Number);
  if (shares.length !== 4 || shares.some(Number.isNaN))
    throw usage('--personality is four shares from 0 to 1: EXTROVERT,CURIOUS,CREATIVE,STABLE');
  const [extrovert, curious, creative, stable] = shares;
  return { extrovert, curious, creative, stable };
}

interface Persona {
  readonly inspiration?: { readonly kind: string; readonly reference: string; readonly note?: string };
  readonly voice?: Readonly<Record<string, readonly string[]>>;
}

/** A persona is a reference for style: whose, and how it sounds. */
function personaOf(flags: Flags, before: Persona | undefined): CardFields {
  const reference = flagValue(flags, 'inspiration') ?? before?.inspiration?.reference;
  const kind = flagValue(flags, 'inspiration-kind') ?? before?.inspiration?.kind ?? 'real_person';
  const note = flagValue(flags, 'inspiration-note') ?? before?.inspiration?.note;
  const voice = (flag: string, key: string) => {
    const values = flagValues(flags, flag);
    return values.length > 0 ? values : (before?.voice?.[key] ?? []);
  };
  const named = ['inspiration', 'inspiration-kind', 'inspiration-note'].some(
    (flag) => flagValue(flags, flag) !== undefined,
  );
  const voiced = ['tone', 'writing-rule', 'phrase'].some((flag) => flagValues(flags, flag).length > 0);
  if (!named && !voiced) return {};
  const inspiration =
    reference === undefined ? {} : { inspiration: { kind, reference, ...(note && { note }) } };
  return {
    persona: {
      ...before,
      ...inspiration,
      voice: {
        tone_tags: voice('tone', 'tone_tags'),
        writing_rules: voice('writing-rule', 'writing_rules'),
        catchphrases: voice('phrase', 'catchphrases'),
      },
      no_impersonation: true,
    },
  };
}

interface Discovery {
  readonly public: boolean;
  readonly tags?: readonly string[];
}

function discoveryOf(flags: Flags, before: Discovery | undefined): CardFields {
  const tags = flagValues(flags, 'tag');
  if (!isOn(flags, 'public') && !isOn(flags, 'hidden') && tags.length === 0) return {};
  const isPublic = isOn(flags, 'public') || (before?.public === true && !isOn(flags, 'hidden'));
  return { discovery: { ...before, public: isPublic, ...(tags.length > 0 && { tags }) } };
}

interface Autonomous {
  readonly enabled: boolean;
  readonly auto_accept_matching?: boolean;
}

function autonomousOf(flags: Flags, before: Autonomous | undefined): CardFields {
  if (!isOn(flags, 'autonomous') && !isOn(flags, 'auto-accept')) return {};
  const accepts = isOn(flags, 'auto-accept') || before?.auto_accept_matching === true;
  return { autonomous: { ...before, enabled: true, auto_accept_matching: accepts } };
}
