const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000_000_000;

/** A size for people: "98 MB", "1.1 GB". */
export function sizeText(bytes: number): string {
  return `${inUnit(bytes, bytes)} ${unitOf(bytes)}`;
}

/** Progress for people: "41 of 93 MB". */
export function progressText(receivedBytes: number, totalBytes: number): string {
  return `${inUnit(Math.min(receivedBytes, totalBytes), totalBytes)} of ${sizeText(totalBytes)}`;
}

function unitOf(bytes: number): string {
  if (bytes >= GIGABYTE) return 'GB';
  return bytes >= MEGABYTE ? 'MB' : 'kB';
}

/** A number in another's unit, so that both sides of "41 of 93 MB" share one. */
function inUnit(bytes: number, suited: number): string {
  if (suited >= GIGABYTE) return (bytes / GIGABYTE).toFixed(1);
  return Math.round(bytes / (suited >= MEGABYTE ? MEGABYTE : 1000)).toString();
}
