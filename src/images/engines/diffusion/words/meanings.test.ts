import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Lexicon } from './lexicon.ts';
import { PromptEncoder } from './prompt-tokens.ts';

const lexicon = readFileSync(new URL('../../../../../models/painter/lexicon.json', import.meta.url), 'utf8');
const encoder = new PromptEncoder(new Lexicon(lexicon));
const read = (prompt: string, isEdit = false) => encoder.encode(prompt, { isEdit }).names.join(' ');
const unknownIn = (prompt: string) => encoder.encode(prompt, { isEdit: false }).unknownWords;

/** Expects what each prompt means, without the plain background of all of them. */
function means(meanings: Readonly<Record<string, string>>): void {
  const found = Object.keys(meanings).map((prompt) => [prompt, read(prompt).replace(/ plain$/, '')]);
  expect(Object.fromEntries(found)).toEqual(meanings);
}

/** Expects what each edit asks for. */
function asks(edits: Readonly<Record<string, string>>): void {
  const found = Object.keys(edits).map((edit) => [edit, read(edit, true)]);
  expect(Object.fromEntries(found)).toEqual(edits);
}

describe('a prompt means', () => {
  it('several of a thing by its plural, whatever emoji is called so', () => {
    means({
      'six hot air balloons': 'six hot air balloon',
      'two pumpkins': 'two pumpkin',
      'white roses': 'three white rose',
      'small yellow ducks': 'three small yellow duck',
      'rows of tulips': 'six tulip',
      'a row of houses': 'three houses',
      'a stack of pancakes': 'pancakes',
    });
  });

  it('the thing and not its owner, and the owner of a lap', () => {
    means({
      "a witch's broom": 'broom',
      "a woman's hat": 'woman’s hat',
      "a cat on an old lady's lap": 'cat on old woman',
      "a parrot on a pirate's shoulder": 'parrot on pirate',
    });
  });

  it('a person by every word for one', () => {
    means({
      'a psychic': 'fortune teller',
      'a punk': 'punk',
      'a game show host': 'man holding microphone',
      'a storyteller': 'person holding microphone',
      'a bus driver': 'driver',
      'a movie star': 'man',
      'a big fish': 'large fish',
      'an astronaut and his robot pal': 'man astronaut and robot',
    });
  });

  it('a man or a woman where that is said', () => {
    means({
      'a female engineer': 'woman mechanic',
      'a lady pilot': 'woman pilot',
      'a male nurse': 'nurse',
      'a girl scout': 'scout',
      'a chef and her cat': 'woman cook and cat',
      'a judge with his hammer': 'man judge with hammer',
      'a man and her dog': 'man and dog',
      'an elderly woman': 'old woman',
    });
  });

  it('one person by two descriptions', () => {
    means({
      'a manager in a suit': 'office worker wearing suit jacket',
      'a child dressed as a ghost': 'ghost',
      'a dog dressed as a ghost': 'dog',
      'a dog dressed as a pirate': 'dog wearing pirate hat',
      'a boy in a superhero costume': 'man superhero',
      'an old fellow with a white beard': 'old man',
      'a lady with curly hair': 'person curly hair',
      'a teacher with red hair': 'teacher',
      'Santa Claus with a white beard': 'Santa Claus',
      'an engineer in a hard hat': 'mechanic wearing rescue worker’s helmet',
    });
  });

  it('the container where it hides its content, and both where it does not', () => {
    means({
      'a green bottle of poison': 'green bottle',
      'a jar of pickles': 'jar of pickles',
      'a plate of cookies': 'cookie on plate',
      'a plate of spaghetti': 'spaghetti',
      'a mug of cocoa': 'hot chocolate',
      'a can of soda with a straw': 'cup with straw',
      'a bottle of qwxzv, a cat': 'bottle and cat',
    });
  });

  it('what is near a landmark, and a mouse by what is beside it', () => {
    means({
      'Big Ben': 'clock tower',
      'the Golden Gate Bridge': 'suspension bridge',
      'the Taj Mahal': 'mosque',
      'a phone booth': 'phone booth',
      'a keyboard and a mouse': 'keyboard and computer mouse',
      'a mouse eating cheese': 'mouse eating cheese wedge',
    });
  });

  it('nothing by a compound whose head is not known', () => {
    means({ 'a shoe rack': 'plain', 'a shoe rack and a cat': 'cat' });
    expect(unknownIn('a shoe rack')).toEqual(['shoe', 'rack']);
  });

  it('where things are by how they are looked at, crossed and left', () => {
    means({
      'a boy staring at the moon': 'boy next_to crescent moon',
      'a businesswoman shouting into her phone': 'angry woman office worker holding mobile phone',
      'a man talking on the phone': 'man holding mobile phone',
      'a rabbit coming out of a hat': 'rabbit in top hat',
      'a cat crossing a bridge': 'cat on stone bridge',
      'a lawyer going up the stairs': 'lawyer on staircase',
      'a monkey in the window of a rocket': 'monkey in rocket',
    });
  });

  it('the owner by a part of a body', () => {
    means({
      'a writer with a pencil behind her ear': 'woman with pencil',
      'a bird with a worm in its beak': 'bird holding worm',
      'a goat with big horns': 'goat',
      'a unicorn with a golden horn': 'unicorn',
      'a woman with a horn': 'woman with postal horn',
      'a hippo opening its mouth wide': 'hippopotamus',
      'a rabbit with a pink bow on its ear': 'rabbit wearing pink ribbon',
      'a face with tongue': 'face with tongue',
    });
  });

  it('a mood by what is done', () => {
    means({
      'a lonely robot': 'sad robot',
      'a worried mother': 'sad woman',
      'a man yawning': 'sleepy man',
      'a growling dog': 'angry dog',
      'a cheering girl': 'happy girl',
      'an astounded cat': 'surprised cat',
    });
  });
});

describe('an edit asks for', () => {
  it('markings and moods of what is there', () => {
    asks({
      'give the dog black spots': 'change dog spotted',
      'cover the egg with pink stripes': 'change egg striped',
      'add a striped cat': 'add striped cat',
      'make the baby cry': 'change baby sad',
      'make him smile': 'change it happy',
      'add a cat sleeping on the bed': 'add sleepy cat on bed',
    });
  });

  it('one thing for another', () => {
    asks({
      'swap the burger for a hot dog': 'replace hamburger with hot dog',
      'turn the fish in the bowl into a crab': 'replace fish with crab',
      'make it a zebra': 'replace it with zebra',
      'make it five ducks': 'change it to five duck',
      'use a spoon instead of a fork': 'replace fork with spoon',
      'replace the qwxzv with a cake': 'add birthday cake',
    });
  });

  it('nothing where what is changed is not known', () => {
    asks({
      'change his hair to green': 'it',
      'make the qwxzv purple': 'it',
      'remove the qwxzv': 'it',
      'change the time to sunset': 'change background to sunset',
    });
  });

  it('another background, with what else is said', () => {
    asks({
      'make it night with lots of stars': 'change background to night',
      'make it a beach with a crab': 'add crab and change background to beach',
      'turn the background into a forest': 'change background to forest',
      'put him on a beach and make the sack green': 'change sack green and change background to beach',
    });
  });

  it('two changes at once', () => {
    asks({
      'make the shirt red and give her glasses': 'change dress shirt red and wearing glasses',
      'make him sad and take off the belt': 'change it sad and remove belt',
    });
  });

  it('what is held, moved and taken away', () => {
    asks({
      'give him a skull to hold': 'it holding skull',
      'let him hold a balloon instead': 'it holding balloon',
      'move the cat down to the door': 'move cat at_bottom',
      'move the dog to the left of the house': 'move dog left_of house',
      'move the dog to the left': 'move dog at_left',
      'put the soap on top of the towel': 'move soap on towel',
      'take the hat off': 'remove top hat',
      'get rid of the tree': 'remove deciduous tree',
      'add a dog at his feet': 'add dog next_to it',
      'add a bottle of wine': 'add wine bottle',
      'add a vase of roses': 'add rose',
    });
  });
});
