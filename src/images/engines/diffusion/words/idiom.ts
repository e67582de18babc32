/** A wording of everyday, and what is read in its place. */
export type Idiom = readonly [wording: RegExp, reading: string];

/** Parts of a body that things are on; what is said of them is said of their owner. */
export const WORN_ON =
  'heads?|faces?|eyes?|nose|necks?|back|body|hair|ears?|feet|foot|chest|wrist|finger|shoulders?|belly|tail|forehead|knees?|legs?|waist';
/** Parts of a body that things are in. */
export const HELD_IN = 'hands?|arms?|paws?|mouths?|beak|claws|lap|teeth|fingers|trunk|jaws?|lips|pouch';
/** Parts that are seen on every body, and that no drawing shows alone. */
export const PARTS =
  'heads?|eyes?|noses?|necks?|ears?|feet|foot|legs?|hands?|arms?|paws?|mouths?|beaks?|claws?|teeth|fangs?|tusks?|horns|tails?|wings?|tongue|lips|mane|whiskers|antlers|feathers|fur|scales|belly|stomach|muscles|fingers|lashes|eyelashes|cheeks|eyebrows?|mohawk|pigtails|dreadlocks|hooves|toes|thumbs?|fingernails|pouch|humps?';
export const WHOSE = '(his|her|its|their|the)';
export const ABOUT = '(?:on|over|around|onto|in|at|to|behind|under|between|from|across)';

/** A wording wherever it stands, in small letters or large ones. */
export function idiom(source: string): RegExp {
  return new RegExp(source, 'gi');
}
