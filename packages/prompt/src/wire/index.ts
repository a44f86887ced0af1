export { explainWire, type WireExplanation } from './explain-wire.js';
export { maskWire } from './mask-wire.js';
export {
  sourceAt,
  type WireDocument,
  type WireInput,
  type WirePart,
  type WireSpan,
  wireDocument,
} from './wire-document.js';
