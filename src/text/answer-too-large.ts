/** Why an engine failed whose answer, or one piece of it, has more bytes than are read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}
