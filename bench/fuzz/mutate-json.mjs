const NASTY = [
  null,
  -1,
  1e308,
  0.1,
  '',
  '(a+)+$',
  '^(?=.*a)(?=.*b).{0,99999}$',
  '#/$defs/missing',
  '#',
  [],
  {},
  [[]],
  true,
  { not: {} },
  { $ref: '#' },
  2 ** 53,
  ['string', 'null', 'nothing'],
];

/** A copy of a value with some members replaced, removed, doubled under another name, or swapped. */
export function mutateJson(value, random) {
  const copy = structuredClone(value);
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) mutateOnce(copy, random);
  return copy;
}

function mutateOnce(root, random) {
  const places = placesOf(root);
  const pick = () => places[Math.floor(random() * places.length)];
  const place = pick();
  if (place === undefined) return;
  const { owner, key } = place;
  switch (Math.floor(random() * 4)) {
    case 0:
      owner[key] = structuredClone(NASTY[Math.floor(random() * NASTY.length)]);
      return;
    case 1:
      if (Array.isArray(owner)) owner.splice(key, 1);
      else delete owner[key];
      return;
    case 2:
      owner[key] = structuredClone(pick().value);
      return;
    default:
      if (Array.isArray(owner)) owner.push(structuredClone(owner[key]));
      else owner[`${key}${Math.floor(random() * 100)}`] = structuredClone(owner[key]);
  }
}

function placesOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    { owner: value, key, value: value[key] },
    ...placesOf(value[key]),
  ]);
}
