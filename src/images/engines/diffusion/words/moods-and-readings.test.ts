import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Lexicon } from './lexicon.ts';
import { PromptEncoder } from './prompt-tokens.ts';

interface Grammar {
  readonly about: string;
  readonly [kind: string]: Readonly<Record<string, readonly string[]>> | string;
}

const things = {
  'People & Body': ['man', 'woman', 'person', 'singer', 'clown'],
  'Animals & Nature': ['dog', 'cat', 'bear', 'lamb', 'shark', 'tree'],
  'Own drawings': ['soldier', 'table', 'desk', 'piano', 'wagon', 'hay'],
  Objects: ['top hat', 'sunglasses', 'coat', 'camera', 'sword', 'cup', 'flag', 'rocket', 'moon'],
  'Food & Drink': ['banana', 'fruit', 'bowl', 'toy', 'box'],
  'Travel & Places': ['horse', 'bicycle', 'door', 'key', 'shirt'],
};
const encoder = new PromptEncoder(new Lexicon(JSON.stringify(nextLexicon())));
const namesOf = (prompt: string) => encoder.encode(prompt, { isEdit: false }).names.join(' ');
const editOf = (prompt: string, references = 1) =>
  encoder.encode(prompt, { isEdit: true, references }).names.join(' ');

/** The whole grammar with a few things. */
function nextLexicon() {
  const url = new URL('../../../../../models/painter/language/grammar.json', import.meta.url);
  const { about: _, ...grammar }: Grammar = JSON.parse(readFileSync(url, 'utf8'));
  const tokens = ['none'];
  const kinds = ['none'];
  const phrases: Record<string, number> = {};
  for (const [kind, words] of Object.entries(grammar)) {
    for (const [token, surfaces] of Object.entries(words)) {
      tokens.push(token);
      kinds.push(kind);
      for (const surface of surfaces) phrases[surface] ??= tokens.length - 1;
    }
  }
  const objects = Object.entries(things).flatMap(([group, names]) => names.map((name) => ({ name, group })));
  for (const [at, { name }] of objects.entries()) phrases[name] ??= tokens.length + at;
  const worn = { head: ['top hat'], eyes: ['sunglasses'], body: ['coat'] };
  const readings = {
    photographer: 'person holding camera',
    couple: 'man and woman',
    'breakfast with': '',
  };
  const stop = 'a an the of is are his her its at for some he she'.split(' ');
  const people = [...things['People & Body'], 'soldier'];
  const rest = { loose: [], people, related: {}, stop, spelled: [], readings, worn };
  return { tokens, kinds, firstObject: tokens.length, objects, phrases, ...rest };
}

describe('the words of a prompt', () => {
  it('may be moods and patterns, before their thing or after it', () => {
    expect(namesOf('a sad clown')).toBe('sad clown plain');
    expect(namesOf('a lamb sleeping in the grass')).toBe('sleepy lamb in grass');
    expect(namesOf('a cat with stripes')).toBe('striped cat plain');
    expect(namesOf('a dog, a happy cat')).toBe('dog and happy cat plain');
    expect(namesOf('an angry man shouting at a dog')).toBe('angry man and dog plain');
    expect(namesOf('a sad')).toBe('sad plain');
  });

  it('say that clothes are worn, a horse is ridden and a piano is not held', () => {
    expect(namesOf('a man with a top hat')).toBe('man wearing top hat plain');
    expect(namesOf('a woman in a red coat')).toBe('woman wearing red coat plain');
    expect(namesOf('a bear with sunglasses on its face')).toBe('bear wearing sunglasses plain');
    expect(namesOf('a soldier on a horse')).toBe('soldier riding horse plain');
    expect(namesOf('a cat on a horse')).toBe('cat on horse plain');
    expect(namesOf('a cat on a bicycle')).toBe('cat riding bicycle plain');
    expect(namesOf('a man playing the piano')).toBe('man next_to piano plain');
    expect(namesOf('a man with a sword in his hand')).toBe('man holding sword plain');
  });

  it('are read as others where no drawing stands for them', () => {
    expect(namesOf('a photographer')).toBe('person holding camera plain');
    expect(namesOf('two photographers')).toBe('two person holding camera plain');
    expect(namesOf('a photographer with a dog')).toBe('person with dog plain');
    expect(namesOf('a couple on a horse')).toBe('man and woman riding horse plain');
    expect(namesOf('breakfast with fruit')).toBe('fruit plain');
  });

  it('tell a table that something is on from one that stands alone', () => {
    expect(namesOf('a cup on a table')).toBe('cup on table');
    expect(namesOf('a table')).toBe('table plain');
    expect(namesOf('a cat under a desk')).toBe('cat below desk plain');
  });

  it('put into a container what it is full of', () => {
    expect(namesOf('a wagon full of hay')).toBe('hay in wagon plain');
    expect(namesOf('a box filled with fruit')).toBe('fruit in box plain');
  });

  it('are unknown where they are', () => {
    const { unknownWords } = encoder.encode('a happy qwxzv on his head', { isEdit: false });
    expect(unknownWords).toEqual(['qwxzv']);
  });
});

describe('the words of an edit', () => {
  it('dress, and put into the hand what is not worn', () => {
    expect(editOf('give the bear sunglasses')).toBe('bear wearing sunglasses');
    expect(editOf('give the bear a red top hat')).toBe('add red top hat on bear');
    expect(editOf('put a top hat on his head')).toBe('add top hat on it');
    expect(editOf("put a top hat on the man's head")).toBe('add top hat on man');
    expect(editOf('make the cat wear a top hat')).toBe('add top hat on cat');
    expect(editOf('give her a sword')).toBe('it holding sword');
    expect(editOf('make the cat hold a banana')).toBe('change cat holding banana');
    expect(editOf('give the dog a blue qwxzv')).toBe('dog');
    expect(editOf('add sunglasses')).toBe('wearing sunglasses');
  });

  it('change the background where a place is named, last', () => {
    expect(editOf('put her on a stage')).toBe('change background to stage');
    expect(editOf('make it winter')).toBe('change background to snow');
    expect(editOf('put the rocket in space and add the moon')).toBe(
      'add moon and change background to space',
    );
    expect(editOf('add a shark in the water')).toBe('add shark');
    expect(editOf('make it smaller and put it in a forest')).toBe(
      'change it smaller and change background to forest',
    );
    expect(editOf('remove the cat and make it night')).toBe('remove cat and change background to night');
  });

  it('say where an added thing goes', () => {
    expect(editOf('add a flag behind him')).toBe('add flag behind it');
    expect(editOf('fill the bowl with fruit')).toBe('add fruit in bowl');
    expect(editOf('add a tree next to the cat')).toBe('add tree next_to cat');
  });

  it('join what is in pictures of its own', () => {
    expect(editOf('put the key in front of the door', 2)).toBe('key in_front door');
    expect(editOf('put the key in front of the door')).toBe('move key in_front door');
    expect(editOf('put a key in front of the door')).toBe('add key in_front door');
    expect(editOf('put a key in front of the door', 2)).toBe('add key in_front door');
    expect(editOf('put the key from the first image in the second image', 2)).toBe('add key in image_2');
  });

  it('change moods and markings', () => {
    expect(editOf('make the dog sad')).toBe('change dog sad');
    expect(editOf('make the dog sleep')).toBe('change dog sleepy');
    expect(editOf('add stripes to the cat')).toBe('change cat striped');
  });
});
