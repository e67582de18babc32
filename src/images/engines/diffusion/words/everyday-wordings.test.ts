import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Lexicon } from './lexicon.ts';
import { PromptEncoder } from './prompt-tokens.ts';

const lexicon = readFileSync(new URL('../../../../../models/painter/lexicon.json', import.meta.url), 'utf8');
const encoder = new PromptEncoder(new Lexicon(lexicon));

/** Expects what each wording means, without the plain background of prompts. */
function means(meanings: Readonly<Record<string, string>>, isEdit = false): void {
  const found = Object.keys(meanings).map((text) => [
    text,
    encoder
      .encode(text, { isEdit })
      .names.join(' ')
      .replace(/ plain$/, ''),
  ]);
  expect(Object.fromEntries(found)).toEqual(meanings);
}

describe('a prompt means', () => {
  it('the head of a name that is half a place', () => {
    means({
      'a duck wearing rain boots': 'duck wearing hiking boot',
      'a pirate on a mountain road': 'pirate on road',
      'a cat beach sunset': 'cat beach sunset',
      'in the forest wolves howl': 'in forest three wolf',
    });
  });

  it('who does something, and no thing of the same name', () => {
    means({
      'an aunt cooking the spaghetti': 'woman and spaghetti',
      'a brick building in the snow': 'office building in snow',
    });
  });

  it('a place as several things only where it stands alone', () => {
    means({
      'a garden': 'flower bed on grass',
      'a peacock in the garden': 'peacock in grass',
      'a bed in a bedroom': 'bed in room',
      'a rider on a horse': 'person riding horse',
    });
  });

  it('several by a plural that is in the lexicon too, but no three of what comes in twos', () => {
    means({
      'cookies on a plate': 'three cookie on plate',
      'boots in the snow': 'hiking boot in snow',
      'a pair of scissors': 'scissors',
    });
  });

  it('the owner without its parts', () => {
    means({
      'a girl with crossed arms and a hat': 'girl wearing top hat',
      'a snowman with a carrot nose and a scarf': 'snowman wearing scarf',
    });
  });

  it('what is said of something unknown not of the next thing', () => {
    means({
      'a man with a red qwxzv and a cat': 'man with cat',
      'a bottle with a qwxzv in it': 'bottle',
      'red and blue balloons': 'red and three blue balloon',
    });
  });

  it('what is in and on a thing', () => {
    means({
      'a box with a cat in it': 'cat in package',
      'a cake with three candles on top': 'three candle on birthday cake',
      'a mug full of pencils': 'pencil in mug',
      'a mug full of milk': 'mug',
      'a lobster in a pot of boiling water': 'lobster in cooking pot',
    });
  });

  it('where things hang and people look from', () => {
    means({
      'a lantern hanging from a tree': 'lantern below deciduous tree',
      'an alien waving from a flying saucer': 'alien in flying saucer',
      'two men talking over a fence': 'two man behind fence',
    });
  });

  it('no owner and no colour of people', () => {
    means({
      "a lion wearing a king's crown": 'lion wearing crown',
      'a black woman with a dog': 'woman with dog',
    });
  });
});

describe('an edit asks for', () => {
  it('what is there to go to what is there, and what is new to come to it', () => {
    means(
      {
        'put the red cat on the bed': 'move red cat on bed',
        'make the man ride the horse': 'move man on horse',
        'move the cat to the door': 'move cat next_to door',
        'move the cat off the bed': 'move cat next_to bed',
        'put the cat on a plate': 'add plate below cat',
        'place him on a horse': 'add horse below it',
        'let the penguin stand on a rock': 'add rock below penguin',
        'add a candle to the cake': 'add candle on birthday cake',
        'add a castle in the background': 'add castle behind it',
      },
      true,
    );
  });

  it('something away from where it is', () => {
    means(
      {
        'take the hat off the cat': 'remove top hat',
        'take the mouse out of the box': 'remove mouse',
      },
      true,
    );
  });

  it('another number', () => {
    means(
      {
        'only two ducks please': 'change it to two duck',
        'I want five ducks instead of one': 'change it to five duck',
        'double the spiders': 'change it to two spider',
        'change the number of balloons to four': 'change it to four balloon',
        'add some birds': 'add three bird',
      },
      true,
    );
  });

  it('several qualities and things, each by a change', () => {
    means(
      {
        'make the dragon green and smaller': 'change dragon green and change it smaller',
        'make the cat black and the bed blue': 'change cat black and change bed blue',
        'make the dog brown with white spots': 'change dog brown and change it spotted',
        'give the goat a hat and a scarf': 'add top hat on goat and goat wearing scarf',
        'add a cat and a dog': 'add cat and add dog',
        'put sunglasses on the dog and a hat on the cat': 'add sunglasses on dog and add top hat on cat',
      },
      true,
    );
  });

  it('nothing where it cannot be painted', () => {
    means(
      {
        'close the laptop': 'it',
        'give it wings': 'it',
      },
      true,
    );
  });

  it('a change in other words', () => {
    means(
      {
        'the troll should be smiling': 'change troll happy',
        'make the dog tiny': 'change dog smaller',
        'replace the car by a bicycle': 'replace automobile with bicycle',
        'use a blue background': 'change background to blue',
        "change the owl's color to white": 'change owl to white',
        'dress the raccoon as a cowboy': 'add cowboy hat on raccoon',
      },
      true,
    );
  });
});
