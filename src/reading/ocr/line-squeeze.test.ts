import { describe, expect, it } from 'vitest';
import type { LineBox } from './line-box.ts';
import type { RecognisedLine } from './line-recogniser.ts';
import { LineSqueeze } from './line-squeeze.ts';

const long: LineBox = { cx: 0, cy: 0, length: 900, height: 30, ux: 1, uy: 0 };
const short: LineBox = { ...long, length: 200 };
const latin = 'the goods were sent on Monday';

describe('how narrow lines are made', () => {
  it('begins with whole lines, and goes by the narrowest type among them', () => {
    const squeeze = new LineSqueeze();
    for (const steps of [3, 2.4]) squeeze.learn(lineOf(latin, steps), 1);
    expect(squeeze.fractionOf(long)).toBe(1);
    squeeze.learn(lineOf(latin, 2.8), 1);
    expect(squeeze.fractionOf(long)).toBeCloseTo(1.8 / 2.4);
  });

  it('counts the steps that a narrowed line would have had', () => {
    const squeeze = learnt(2.4);
    squeeze.learn(lineOf(latin, 1.8), 0.75);
    expect(squeeze.fractionOf(long)).toBeCloseTo(0.75);
  });

  it('leaves narrow type, short lines and pages with wide characters as they are', () => {
    expect(learnt(1.7).fractionOf(long)).toBe(1);
    expect(learnt(3).fractionOf(short)).toBe(1);
    const squeeze = learnt(3);
    squeeze.learn(lineOf('合計 1,200', 4), 1);
    expect(squeeze.fractionOf(long)).toBe(1);
  });

  it('makes no line narrower than was tried', () => {
    expect(learnt(9).fractionOf(long)).toBe(0.6);
  });

  it('ignores short or hardly readable lines', () => {
    const squeeze = learnt(3);
    squeeze.learn(lineOf('Total', 1.2), 1);
    squeeze.learn({ ...lineOf(latin, 1.2), confidence: 0.6 }, 1);
    expect(squeeze.fractionOf(long)).toBe(0.6);
  });

  it('reads a narrowed line again if it is too dense, doubtful or in wide characters', () => {
    const squeeze = new LineSqueeze();
    expect(squeeze.suffices(lineOf(latin, 1.8), 0.7)).toBe(true);
    expect(squeeze.suffices(lineOf(latin, 1.5), 0.7)).toBe(false);
    expect(squeeze.suffices({ ...lineOf(latin, 1.8), confidence: 0.8 }, 0.7)).toBe(false);
    expect(squeeze.suffices(lineOf('ご請求金額', 3), 0.7)).toBe(false);
    expect(squeeze.suffices(lineOf('', 0), 0.7)).toBe(false);
  });

  it('takes a whole line as it is', () => {
    expect(new LineSqueeze().suffices({ ...lineOf(latin, 1.2), confidence: 0.3 }, 1)).toBe(true);
  });
});

function learnt(steps: number): LineSqueeze {
  const squeeze = new LineSqueeze();
  for (let line = 0; line < 3; line += 1) squeeze.learn(lineOf(latin, steps), 1);
  return squeeze;
}

function lineOf(text: string, stepsPerCharacter: number): RecognisedLine {
  const characters = Array.from(text, (character, index) => ({
    text: character,
    at: index / text.length,
    confidence: 0.99,
    spaceBefore: 0,
  }));
  const confidence = text === '' ? 0 : 0.99;
  return { box: long, characters, confidence, steps: stepsPerCharacter * characters.length };
}
