export { CENSUS_CLASSES, type Census, censusOf } from './census.js';
export { explainWire, spanText, type WireExplanation } from './explain-wire.js';
export { maskWire } from './mask-wire.js';
export {
  type WireDocument,
  type WirePart,
  wireDocument,
} from './wire-document.js';
