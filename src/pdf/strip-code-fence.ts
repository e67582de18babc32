// Three or more marks, followed by a language.
const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*\r?\n/m;

/** Removes the code fence that models put around HTML, and the text before and after it. */
export function stripCodeFence(answer: string): string {
  const opening = OPENING.exec(answer);
  if (opening === null) return answer.trim();
  const [line, fence = ''] = opening;
  // A fence inside HTML, for example in a tutorial, is part of the document.
  if (answer.slice(0, opening.index).includes('<')) return answer.trim();
  const inside = `\n${answer.slice(opening.index + line.length)}`;
  const closing = inside.lastIndexOf(`\n${fence}`);
  return (closing === -1 ? inside : inside.slice(0, closing)).trim();
}
