// A line of three or more marks, with the language that follows the opening one.
const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*\r?\n/m;

/** The HTML of an answer: without the code fence that models like to put around it, and without what they say before and after that. */
export function stripCodeFence(answer: string): string {
  const opening = OPENING.exec(answer);
  if (opening === null) return answer.trim();
  const [line, fence = ''] = opening;
  // A fence inside HTML, for example in a tutorial, is a part of the document.
  if (answer.slice(0, opening.index).includes('<')) return answer.trim();
  const inside = `\n${answer.slice(opening.index + line.length)}`;
  const closing = inside.lastIndexOf(`\n${fence}`);
  return (closing === -1 ? inside : inside.slice(0, closing)).trim();
}
