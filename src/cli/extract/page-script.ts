/** Script of the page that shows an extraction: a field and its box light up together, a click on one shows the other. */
export const PAGE_SCRIPT = `
'use strict';
const parts = Array.from(document.querySelectorAll('[data-field]'));
let kept;
const light = (field) => {
  for (const part of parts) part.classList.toggle('lit', part.dataset.field === field);
};
const otherOf = (part) => parts.find((one) => one !== part && one.dataset.field === part.dataset.field);
for (const part of parts) {
  const field = part.dataset.field;
  part.addEventListener('mouseenter', () => light(field));
  part.addEventListener('focus', () => light(field));
  part.addEventListener('mouseleave', () => light(kept));
  part.addEventListener('click', () => {
    kept = field;
    light(field);
    otherOf(part)?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  });
}
`;
