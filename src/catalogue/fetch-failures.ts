/** Nothing in the catalogue has this name. */
export class ModelUnknown extends Error {
  override readonly name = 'ModelUnknown';
}

/** One source did not give the files; the next may. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}

/** No source gave the files; the message has the reason of each. */
export class ModelNotFetched extends Error {
  override readonly name = 'ModelNotFetched';

  constructor(modelName: string, reasons: readonly string[]) {
    super(`The model ${modelName} could not be fetched. ${reasons.join(' ')}`);
  }
}

/** The disk has not enough room for a model. */
export class ModelTooLarge extends Error {
  override readonly name = 'ModelTooLarge';
}
