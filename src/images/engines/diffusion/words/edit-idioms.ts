import { ABOUT, HELD_IN, type Idiom, idiom, WHOSE, WORN_ON } from './idiom.ts';

const ARTICLE = '(?:a|an|some|one|two|three|another|the|his|her|its|their)';
const MOVES = 'fly|swim|walk|run|jump|float|stand|sit|dance|come|go';
// Moods by what is done.
const MOODS: Readonly<Record<string, string>> = {
  happy: 'laugh|smile|grin|cheer|look happy',
  sad: 'cry|weep|sob|frown|worry',
  angry: 'shout|scream|yell|growl|roar',
  sleepy: 'sleep|nap|yawn|doze|snore|fall asleep|go to sleep',
};

// What is there, in few words.
const IT = '((?:(?!and )\\w+ ){0,3}?\\w+)';
const NUMBER = '(one|two|three|four|five|six|[1-6])';
const LAY =
  'wrap|tie|lean|balance|rest|lay|stick|stand|seat|hide|drop|throw|park|lift|send|bring|position|arrange';
// The place of a person who is made to do something.
const DEEDS_AT: Readonly<Record<string, string>> = {
  on: 'ride|ride on|sit on|stand on|lie on|lean on|climb|sleep on|walk on|jump on|sit on top of|dance on',
  in: 'sit in|stand in|lie in|hide in|sleep in|swim in',
  'next to':
    'sit next to|stand next to|sit beside|stand beside|sit by|stand by|lean against|face|look at|hug',
  behind: 'sit behind|stand behind|hide behind',
  'in front of': 'sit in front of|stand in front of',
  over: 'jump over|fly over|float above|fly above|hover over|leap over',
  under: 'sit under|stand under|hide under|sleep under',
};

/** Wordings of edits. */
export const EDIT_IDIOMS: readonly Idiom[] = [
  [/,? *\bplease\b,?/gi, ''],
  [/\binstead$/gi, ''],
  [/\bupside down\b/gi, ''],
  [/\bswap (?:the )?(?:places|positions) of .*/gi, ''],
  [/\bswitch (?=.+ (?:for|with)\b)/gi, 'swap '],
  [/\b(?:switch|set) (?=.+ to\b)/gi, 'change '],
  // Wishes and statements are edits: "the troll should be smiling".
  [/^\s*(?:can|could) you (?:just )?/gi, ''],
  [/^\s*i(?:['’]d like| want| need| would like) (?=(?:the|it|him|her|his|them)\b)/gi, 'make '],
  [
    /^\s*(?:i(?:['’]d like| want| need| would like)(?: to see| to have)?|there should be|show(?: me)?) /gi,
    '',
  ],
  [
    idiom(
      `^\\s*((?:the|his|her|this|that) (?:\\w+ ){0,2}?\\w+) (?:should|must|shall|needs? to|ha(?:s|ve) to) (?:be |look |become )?`,
    ),
    'make $1 ',
  ],
  [
    /^\s*(?:he|she|it|they) (?:should|must|shall|needs? to|ha(?:s|ve) to) (?:be |look |become )?/gi,
    'make it ',
  ],
  [/^\s*have (?=(?:the|it|him|her|his|them)\b)/gi, 'let '],
  // A framed picture in the scene, and the background of the scene.
  [
    /\b(hang|put|add|move|remove) (an?|the) ((?!first|second|third|fourth|whole|other)\w+ )?(?:picture|painting|photo)\b(?! of)/gi,
    '$1 $2 $3framed picture',
  ],
  [
    /^\s*(?:use|add|put|give it|make it|set) an? ((?:\w+ ){1,2}?)background\b/gi,
    'change the background to $1',
  ],
  [/\b(add .+?) (?:in|to) the background\b/gi, '$1 behind it'],
  [
    /\bcover (?:it|everything|the (?:ground|floor|field|scene|street)) (?:in|with) (?=snow|sand|grass|flowers|leaves)/gi,
    'change the background to ',
  ],
  // Numbers.
  [idiom(`\\b(?:reduce|increase|raise|lower) it to ${NUMBER}\\b`), 'make it $1'],
  [
    idiom(
      `\\b(?:change|set|make|increase|reduce|raise) the number of (?:the )?(\\w+) (?:to|be) ${NUMBER}\\b`,
    ),
    'make it $2 $1',
  ],
  [/\bdouble (?:the )?(?:number of )?(?:the )?(\w+)/gi, 'make it two $1'],
  [/\btriple (?:the )?(?:number of )?(?:the )?(\w+)/gi, 'make it three $1'],
  [
    idiom(`^\\s*(?:(?:make it|only|just|exactly) )*${NUMBER} ((?:\\w+ )?\\w+?)(?: instead of ${NUMBER})?$`),
    'make it $1 $2',
  ],
  // Colours.
  [/\b(change|turn|make|paint|recolou?r) (.+?)['’]s colou?r (?=to|into)/gi, '$1 $2 '],
  [/\b(change|turn|make|paint|recolou?r) (.+?) from \w+ (?=to\b|into\b)/gi, '$1 $2 '],
  [
    /\b(replace|substitute|swap|exchange) (.+?) by (?=(?:an?|the|some|two|three|four|five|six)\b)/gi,
    '$1 $2 with ',
  ],
  // Taken away, and moved away.
  [
    idiom(
      `\\b(?:remove|delete|erase|take) ${IT} (?:away )?(?:from|off|out of) (?:the|his|her|its|their|this|that) (?:(?!and )\\w+ )*?\\w+(?=$|[,.]| and )`,
    ),
    'remove $1',
  ],
  [idiom(`\\bmove ${IT} (?:from|off|out of) the (?:\\w+ )??\\w+ (?=onto|into|to|on)`), 'move $1 '],
  [idiom(`\\bmove ${IT} (?:off|out of) (?=the )`), 'move $1 next to '],
  [idiom(`\\bmove ${IT} (?:on|onto|to) the (?:floor|ground)\\b`), 'move $1 to the bottom'],
  [/\b(?:in|into|to|at) the (?:top|upper) (?:left|right)(?:-?hand)?(?: corner| side)?\b/gi, 'at the top'],
  [
    /\b(?:in|into|to|at) the (?:bottom|lower) (?:left|right)(?:-?hand)?(?: corner| side)?\b/gi,
    'at the bottom',
  ],
  [/\b(?:closer|nearer) to\b/gi, 'next to'],
  [idiom(`\\bmove ${IT} (?:further )?away from .*`), 'move $1 to the left'],
  [/\b(?:to|at|on) the top of (?=(?:an?|the|his|her|its) )/gi, 'on '],
  // Ways to say that a thing is put somewhere.
  [idiom(`(?:^\\s*|\\band )(?:send|bring|take) ${IT} (?:to|into) `), 'put $1 in '],
  [idiom(`^\\s*(?:${LAY}) (?=(?:the|it|him|her|his|them)\\b)`), 'put '],
  ...Object.entries(DEEDS_AT).map(
    ([place, deeds]): Idiom => [
      idiom(`\\b(?:let|make|have) ${IT} (?:${deeds}) (?=(?:an?|the|his|her|its|it)\\b)`),
      `put $1 ${place} `,
    ],
  ),
  [idiom(`\\b(?:let|make|have) ((?:an?|some) (?:\\w+ ){0,2}?\\w+) (?:${MOVES}|appear)\\b`), 'add $1'],
  [idiom(`\\bsurround ${IT} (?:with|by) (.+)`), 'add $2 around $1'],
  [/\bdress (.+?) (?:up )?(?:as|like) (?=an? )/gi, '$1 dressed as '],
  [/\bdress (.+?) (?:up )?in (?=an? |the )/gi, '$1 wearing '],
  [/\bwake (?:up )?((?:the |his |her )?\w+)(?: up)?\b/gi, 'make $1 happy'],
  [/\b(make|have|let) her (?=\w)/gi, '$1 it '],
  [/\b(?:have|let|make) (.+?) (?:hold|wear) (.+?) instead of (.+)/gi, 'replace $3 with $2'],
  [/\b(?:add|use|put|show|paint) (.+?) instead of (.+)/gi, 'replace $2 with $1'],
  [/ to (?:hold|carry|eat|wear|drink|ride|read|use|play|play with|sit on)\b/gi, ''],
  [/\btake ((?:the|his|her|its|their) (?:\w+ )??\w+) (?:off|away|out)\b/gi, 'remove $1'],
  [/\b(?:get rid of|take off|take away|take out)\b/gi, 'remove'],
  [
    /\b(?:cover|decorate|fill) (.+?) (?:with|in) (?=(?:\w+ )?(?:stripes|spots|dots|polka dots|checks)\b)/gi,
    'change $1 ',
  ],
  [/\bgive (.+?) ((?:\w+ )?(?:stripes|spots|dots|polka dots|checks))\b/gi, 'change $1 $2'],
  [/\b(?:much|even|a lot|a bit|a little|slightly) (?=(?:bigger|smaller|larger)\b)/gi, ''],
  ...Object.entries(MOODS).map(
    ([mood, deeds]): Idiom => [
      idiom(`\\b(?:let|make|have) ((?:(?:the|this|that|his|her) )?(?:\\w+ )?\\w+) (?:${deeds})\\b`),
      `make $1 ${mood}`,
    ],
  ),
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
  [/\b(?:at|by|near|before) (?:his|her|its|their) (?:feet|side)\b/gi, 'next to it'],
  [idiom(`\\b${ABOUT} ${WHOSE} (?:${WORN_ON}|${HELD_IN})\\b`), 'on it'],
  [idiom(`\\b${ABOUT} ((?:the |a |an )?(?:\\w+ ){0,2}?\\w+) own (?:${WORN_ON}|${HELD_IN})\\b`), 'on $1'],
  [/\bown\b/gi, ''],
  [idiom(`\\bgive (?!me\\b)((?:\\S+ ){1,4}?)(?=${ARTICLE} )`), '$1holding '],
  [/\bgive (him|her|them|it)\b/gi, '$1 holding'],
  // Things of two parts have no article: "give the bear sunglasses".
  [/\bgive ((?:the |this |that |my )?\w+(?: \w+)?) (\w+s)$/gi, '$1 holding $2'],
  [/\bfill (.+?) with (.+)/gi, 'add $2 in $1'],
  [idiom(`\\b(let|make|have) ((?:the )?\\w+) (?:${MOVES})\\b`), '$1 $2'],
  [/\bhim\b/gi, 'it'],
  [
    /\bher(?=$|\s*[,.;!]| (?:and|on|in|into|onto|at|to|with|a|an|the|holding|wearing|look|happy|sad|angry|sleepy|surprised)\b)/gi,
    'it',
  ],
];
