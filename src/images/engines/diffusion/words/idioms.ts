// Parts of a body that things are on or in; what is said of them is said of their owner.
const WORN_ON =
  'heads?|faces?|eyes?|nose|necks?|back|body|hair|ears?|feet|foot|chest|wrist|finger|shoulders?';
const HELD_IN = 'hands?|arms?|paws?|mouths?|beak|claws|lap';
const WHOSE = '(?:his|her|its|their|the)';
const ABOUT = '(?:on|over|around|onto|in|at|to)';
const ARTICLE = '(?:a|an|some|one|two|three|another|the|his|her|its|their)';
const MOVES = 'fly|swim|walk|run|jump|float|stand|sit|dance|come|go';

type Idiom = readonly [wording: RegExp, reading: string];

const EVERYWHERE: readonly Idiom[] = [
  [idiom(`(\\w)['’]s (?=(?:${WORN_ON}|${HELD_IN})\\b)`), '$1 own '],
  [/\b(?:for|at|during|as) (?:breakfast|lunch|dinner|supper|dessert)\b/gi, ''],
];
const IN_SCENES: readonly Idiom[] = [
  // Glasses to see with are meant only where there is nothing to drink.
  [/\b(bottles?|wine|champagne|jug|pitcher)\b(.*) glasses\b/gi, '$1$2 wine glasses'],
  // Elsewhere these words say how it is made: "a painting of a cat".
  [
    /\b(with|and|holding|beside|to|near|under|above|behind|at|steals|buys|sells) (a|an|the|two|three) ((?:\w+ )?)(?:painting|picture|drawing|photo|photograph|portrait|sketch)(?!\w)(?! of)/gi,
    '$1 $2 $3framed picture',
  ],
  [/^(a|an|the) (?:painting|picture|portrait) (?=(?:hanging|on) )/gi, '$1 framed picture '],
  [idiom(`\\bwith ((?:\\S+ ){1,4}?)${ABOUT} ${WHOSE} (?:own )?(?:${WORN_ON})\\b`), 'with $1'],
  [idiom(`\\bwith ((?:\\S+ ){1,4}?)${ABOUT} ${WHOSE} (?:own )?(?:${HELD_IN})\\b`), 'holding $1'],
  [idiom(`\\b${ABOUT} (?:his|her|its|their) (?:${WORN_ON}|${HELD_IN})\\b`), ''],
  [idiom(`\\b(${ABOUT}) ((?:the |a |an )?\\w+) own (?:${WORN_ON}|${HELD_IN})\\b`), '$1 $2'],
];
const IN_EDITS: readonly Idiom[] = [
  [idiom(`\\b(?:from|off) ${WHOSE} (?:${WORN_ON}|${HELD_IN})\\b`), ''],
  [/\bon top\b(?! of)/gi, 'on it'],
  [/\b(change|turn|paint|make) the colou?r of (.+?) (?=to|into)/gi, '$1 $2 '],
  [/\b(make|paint|turn|change) the sky\b/gi, '$1 the background'],
  [/\blet it (?=rain|snow)/gi, 'make it '],
  [
    /\b(put|place|move|bring) (?:both|all) (?:of )?(?:the )?(?:animals|things|objects|people|pictures)\b/gi,
    '$1 them',
  ],
  [/\bup$/gi, 'to the top'],
  [/\bdown$/gi, 'to the bottom'],
  [idiom(`\\b${ABOUT} ${WHOSE} (?:${WORN_ON}) of\\b`), 'on'],
  [idiom(`\\b${ABOUT} ${WHOSE} (?:${WORN_ON}|${HELD_IN})\\b`), 'on it'],
  [idiom(`\\b${ABOUT} ((?:the |a |an )?\\w+) own (?:${WORN_ON}|${HELD_IN})\\b`), 'on $1'],
  [/\bown\b/gi, ''],
  [idiom(`\\bgive (?!me\\b)((?:\\S+ ){1,4}?)(?=${ARTICLE} )`), '$1holding '],
  [/\bgive (him|her|them|it)\b/gi, '$1 holding'],
  // Things of two parts have no article: "give the bear sunglasses".
  [/\bgive ((?:the |this |that |my )?\w+(?: \w+)?) (\w+s)$/gi, '$1 holding $2'],
  [/\bfill (.+?) with (.+)/gi, 'add $2 in $1'],
  [idiom(`\\b(let|make|have) ((?:the )?\\w+) (?:${MOVES})\\b`), '$1 $2'],
  [/\b(let|make|have) ((?:the )?\w+) sleep\b/gi, '$1 $2 sleepy'],
  [/\bhim\b/gi, 'it'],
  [
    /\bher(?=$|\s*[,.;!]| (?:and|on|in|into|onto|at|to|with|a|an|the|holding|wearing|look|happy|sad|angry|sleepy|surprised)\b)/gi,
    'it',
  ],
];

/** The prompt with everyday wordings put into words that can be read one after the other. */
export function withoutIdioms(prompt: string, { isEdit }: { readonly isEdit: boolean }): string {
  const idioms = [...EVERYWHERE, ...(isEdit ? IN_EDITS : IN_SCENES)];
  return idioms.reduce((text, [wording, reading]) => text.replace(wording, reading), prompt);
}

function idiom(source: string): RegExp {
  return new RegExp(source, 'gi');
}
