import type { AskedField, FieldQuestion } from './field-finder.ts';

const MOST_CHOICES = 6;

/** The texts of a question as the network reads them: single fields, then each list followed by its columns. */
export function fieldTexts({ fields, lists }: FieldQuestion): readonly string[] {
  return [
    ...fields.map((field) => fieldText(field)),
    ...lists.flatMap((list) => [
      fieldText({ ...list, type: 'array' }),
      ...list.columns.map((column) => fieldText(column, list.name)),
    ]),
  ];
}

/** `invoice number : string : Number of the invoice`; a column has the words of its list before it. */
function fieldText({ name, type, description, choices = [] }: AskedField, list?: string): string {
  const before = list === undefined ? '' : `${wordsOf(list)} > `;
  const members = choices.length === 0 ? '' : ` ( ${choices.slice(0, MOST_CHOICES).join(' , ')} )`;
  const said = description === undefined || description === '' ? '' : ` : ${description}`;
  return `${before}${wordsOf(name)} : ${type}${members}${said}`;
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .toLowerCase()
    .trim();
}
