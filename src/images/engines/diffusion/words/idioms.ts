import { EDIT_IDIOMS } from './edit-idioms.ts';
import { ABOUT, HELD_IN, type Idiom, idiom, PARTS, WHOSE, WORN_ON } from './idiom.ts';

// How an adverbial ends before what a person does: "with a pencil behind her ear" keeps "her", which tells the sex.
const EVERYWHERE: readonly Idiom[] = [
  // One drawing shows both halves.
  [
    /\bpairs? of (?=(?:\w+ ){0,3}?(?:scissors|(?:sun)?glasses|goggles|jeans|trousers|pants|shorts|tights|pajamas|overalls|pliers|tongs|binoculars|headphones|earphones|earrings|socks|gloves|mittens|slippers|clogs|handcuffs|flippers|skis)\b)/gi,
    '',
  ],
  // Water in a pot is no sea around it.
  [
    /\b(pot|pan|bucket|pail|bowl|tub|bathtub|basin|sink|barrel|tank|jar|kettle|cup) (?:of|full of|filled with) (?:\w+ )?(?:water|sand|snow|rain|grass)\b/gi,
    '$1',
  ],
  [idiom(`(\\w)['’]s (?=(?:${WORN_ON}|${HELD_IN})\\b)`), '$1 own '],
  [/\b(?:for|at|during|as) (?:breakfast|lunch|dinner|supper|dessert)\b/gi, ''],
  // A mouse among the things of a computer.
  [/\b(keyboard|monitor|computer|laptop|pc|screen|desk)\b(.*)\b(mouse|mice)\b/gi, '$1$2computer $3'],
  [
    /\b(?<!computer )(mouse|mice)\b(.*)\b(keyboard|monitor|computer|laptop|pc|screen|desk)\b/gi,
    'computer $1$2$3',
  ],
  [
    /\bbows? (?=(?:on|in|around|tied (?:to|around)) (?:\w+ ){1,3}?(?:own )?(?:ears?|head|hair|neck|tail)\b)/gi,
    'ribbon ',
  ],
];
// A thing of few words, from its article on.
const A_THING = '(?:(?:an?|the) |^)(?:\\w+ ){0,3}?\\w+';
const SOME = '(?:an?|one|two|three|four|five|six|some|many)';
const NO_JOINT = '(?!(?:in|on|of|and|or|with|under|over|at|to|from|by|for|holding|wearing)\\b)';
// "With big ears", "with crossed arms", "with a carrot nose": but a face with tongue is called so.
const WITH_PART = `(?<!\\b(?:face|emoji|smiley|ear|heart) )\\bwith (?:${NO_JOINT}\\w+ ){0,4}?(?:${PARTS})\\b(?! (?:of|on|in)\\b)`;
const IN_SCENES: readonly Idiom[] = [
  // What is on or in a thing comes before it: "a box with a cat in it".
  [
    idiom(
      `\\b(${A_THING}) with (${SOME} (?:${NO_JOINT}\\w+ ){0,3}?\\w+) (in|inside|on|under|behind|around|above|below) (?:it|them)\\b`,
    ),
    '$2 $3 $1',
  ],
  [
    idiom(`\\b(${A_THING}) with (${SOME} (?:${NO_JOINT}\\w+ ){0,2}?\\w+) on (?:the )?top\\b(?! of)`),
    '$2 on $1',
  ],
  [
    /\b(golden|gold|bronze|silver) (?:statue|sculpture) of (?:an?|the) (\w+)(?=$|[,.]| (?:in|on|at|by|near|next|with|and|under|behind|beside)\b)/gi,
    '$1 $2 on a pedestal',
  ],
  [
    /\b(?:(?:stone|marble|granite|concrete) )?(?:statue|sculpture) of (?:an?|the) (\w+)(?=$|[,.]| (?:in|on|at|by|near|next|with|and|under|behind|beside)\b)/gi,
    'grey $1 on a pedestal',
  ],
  [/\b(?:\w+ing )?(?:out )?from (behind|under|underneath|beneath|above|below|inside|between)\b/gi, '$1'],
  [/\bhanging (?:(?:down|upside down|by \w+ \w+) )?from (?=(?:an?|the|his|her|its|their) )/gi, 'below '],
  [
    /\b(?:waving|looking|peeking|peering|leaning|smiling|shouting|watching) (?:out )?from (?=(?:an?|the|his|her|its|their) )/gi,
    'in ',
  ],
  [
    /\b(?:talking|chatting|speaking|gossiping|peeking|looking|peering|leaning) over (?=(?:an?|the|his|her|its|their) (?:\w+ )?(?:fence|wall|hedge|gate|counter|railing|bar)\b)/gi,
    'behind ',
  ],
  [
    /\b(?:playing|bouncing|jumping|sitting|swinging) on (?=(?:an?|the) (?:\w+ )?(?:seesaw|swings?|slide|trampoline|playground|carousel)\b)/gi,
    'on ',
  ],
  // Glasses to see with are meant only where there is nothing to drink.
  [/\b(bottles?|wine|champagne|jug|pitcher)\b(.*) glasses\b/gi, '$1$2 wine glasses'],
  [
    /\b(?:soda|cola|coke|glass|cup|can)\b[^,.]*?,? (?:with|and) (?:a|two|the|its) (?:\w+ )?straws?\b/gi,
    'cup with straw',
  ],
  [
    /\b(drink|juice|lemonade|milkshake|smoothie|cocktail)\b(.*?),? (?:with|and) (?:a|two|the|its) (?:\w+ )?straws?\b/gi,
    '$1$2',
  ],
  // Elsewhere these words say how it is made: "a painting of a cat".
  [
    /\b(with|and|holding|beside|to|near|under|above|behind|at|steals|buys|sells) (a|an|the|two|three) ((?:\w+ )?)(?:painting|picture|drawing|photo|photograph|portrait|sketch)(?!\w)(?! of)/gi,
    '$1 $2 $3framed picture',
  ],
  [/^(a|an|the) (?:painting|picture|portrait) (?=(?:hanging|on) )/gi, '$1 framed picture '],
  [
    /\b(?:in|at|inside) (?:a|an|the) ((?:\w+ )?)(?:theatre|theater|cinema|movie theater|opera)\b/gi,
    'on $1stage',
  ],
  [
    /\b(?:in|wearing) (?:a|an|the|his|her) (?!red|blue|green|black|white|pink|yellow|purple|big|long|old|new)(\w+) (?:costume|outfit|disguise)\b/gi,
    'dressed as a $1',
  ],
  // The part of a thing where something is, is the thing.
  [/\b(?:from|in|at|through|inside) the (?:window|door|doorway|entrance|opening|mouth) of\b/gi, 'in'],
  [
    /\b(on|at) the (?:deck|roof|top|edge|back|side|end|front|steps) of (?=(?:a|an|the|his|her|its|their) )/gi,
    '$1 ',
  ],
  [/\b(?:up|down|along) (?=(?:a|an|the) )/gi, 'on '],
  [/\bwaving (?=(?:at|to|from|out|goodbye|hello)\b)/gi, ''],
  [/\b(?:spraying|squirting|splashing|spouting|pouring) water (?:on|at|onto|over)\b/gi, 'next to'],
  [
    /\b(?:shouting|yelling|screaming) (?:in|into|at|on) (?=(?:his|her|its|their|a|the) (?:\w+ )?(?:phone|megaphone|microphone)\b)/gi,
    'shouting, holding ',
  ],
  [
    /\b(?:talking|speaking|singing|whispering) (?:in|into|on) (?=(?:his|her|its|their|a|the) (?:\w+ )?(?:phone|megaphone|microphone)\b)/gi,
    'holding ',
  ],
  [idiom(`\\bwith ((?:\\S+ ){1,4}?)${ABOUT} ${WHOSE} (?:own )?(?:${WORN_ON})\\b`), 'with $1$2'],
  [
    idiom(`\\b(?:with|holding) ((?:\\S+ ){1,4}?)${ABOUT} ${WHOSE} (?:own )?(?:${HELD_IN})\\b`),
    'holding $1$2',
  ],
  [idiom(`\\b${ABOUT} (his|her|its|their) (?:${WORN_ON}|${HELD_IN})\\b`), '$1'],
  [idiom(`\\b(${ABOUT}) ((?:the |a |an )?(?:\\w+ ){0,2}?\\w+) own (?:${WORN_ON}|${HELD_IN})\\b`), '$1 $2'],
  [/\b(elephants?|mammoths?)\b(.*?) (?:with|raising|lifting|curling) (?:a|its) (?:\w+ )?trunk\b/gi, '$1$2'],
  [
    /\b(unicorns?|rhinos?|rhinoceros|narwhals?|goats?|bulls?|dragons?|monsters?) with (?:a|one|its) (?:\w+ )?horn\b/gi,
    '$1',
  ],
  // What is said of a part of a body is said of its owner, and not painted.
  [
    idiom(
      `\\b(?:with|has|opening|closing|combing|brushing|scratching|shaking|turning|wagging|showing|flapping|spreading) (his|her|its|their) (?:\\w+ ){0,2}?(?:${PARTS})\\b(?: (?:in|on) (?:a |the )?(?:cast|sling|air|hips))?(?: (?:wide|open|closed|out|up|down|spread|raised|crossed))*`,
    ),
    '$1',
  ],
  // A part goes, and what is named with it stays.
  [idiom(`${WITH_PART}(?:,|,? and) (?=(?:an?|the|his|her|its|their) )`), 'with '],
  [idiom(WITH_PART), ''],
];

/** The prompt with everyday wordings put into words that can be read one after the other. */
export function withoutIdioms(prompt: string, { isEdit }: { readonly isEdit: boolean }): string {
  const idioms = [...EVERYWHERE, ...(isEdit ? EDIT_IDIOMS : IN_SCENES)];
  return idioms.reduce((text, [wording, reading]) => text.replace(wording, reading), prompt);
}
