// Shapes that go over the wire and into certified objects alike, apart from the client.
export { cardDraftShape } from './schema/card-shape.js';
export {
  circleSchema,
  proposedSchema,
  REJECTIONS,
  type Rejection,
  taskSchema,
  topicShape,
} from './schema/place-shape.js';
export { presetSchema, type Shape, scenarioShape } from './schema/scenario-shape.js';
