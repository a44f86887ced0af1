import { type ByteMap, mapBytes } from '@cuebook/prompt';
import type { Fragment } from './object.js';

export type MessageMap = ByteMap;

/** A map of the text of a manifest by bytes. */
export const mapMessage = (message: Fragment): MessageMap => mapBytes(message.pieces(), message.place);
