export { CENSUS_CLASSES, type Census, type CensusClass, censusOf } from './census.js';
export { explainWire, type WireExplanation } from './explain-wire.js';
export { maskWire } from './mask-wire.js';
export {
  type WireDocument,
  type WireInput,
  type WirePart,
  type WireSpan,
  wireDocument,
} from './wire-document.js';
