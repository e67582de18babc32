/** The catalogue has no such model. */
export class ModelUnknown extends Error {
  override readonly name = 'ModelUnknown';
}

/** A source failed; the next may succeed. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}

/** Every source failed; the message has the reason of each. */
export class ModelNotFetched extends Error {
  override readonly name = 'ModelNotFetched';

  constructor(modelName: string, reasons: readonly string[]) {
    super(`The model ${modelName} could not be fetched. ${reasons.join(' ')}`);
  }
}

/** The disk has too little space for a model. */
export class ModelTooLarge extends Error {
  override readonly name = 'ModelTooLarge';
}
